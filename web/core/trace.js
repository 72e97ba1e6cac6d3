import { refusals } from './errors.js';
import { exactCountOf } from './sizes.js';

/** The most numbers of a trace: it becomes nested arrays, to be looked at. */
const mostNumbers = 1e6;

/** @typedef {import('./attention-call.js').Plan} Plan */
/** @typedef {import('./types/trace.js').Trace} Trace */
/** @typedef {(type: import('./layout.js').ArrayType, place: number, size: readonly number[]) => ArrayLike<number>} Read */

/**
 * Makes room for the trace of a planned call. What comes back reads it, once the call has run.
 * @param {import('./core.js').Core} core @param {string} name the call, for error sentences @param {Plan} plan
 * @returns {(read: Read) => Trace}
 */
export function planTrace(core, name, { shape, settings: { wire, layout, tensors } }) {
  const { batch, queryHeads, queries, keys, valueDim } = shape;
  const tile = core.guard(name, layout.bytes, (raw) => raw._tileSize(shape, wire.tileQueries, wire.tileKeys));
  const [queryTiles, keyTiles] = [Math.ceil(queries / tile.queries), Math.ceil(keys / tile.keys)];
  const steps = [batch, queryHeads, queries, keyTiles];
  const numbers = exactCountOf([...steps, valueDim + 2]);
  if (numbers > BigInt(mostNumbers)) throw refusals.traceSize(mostNumbers, String(numbers));

  const visits = [batch, queryHeads, queryTiles, keyTiles];
  const outputs = [...steps, valueDim];
  tensors.traceVisited = layout.add('trace', Uint8Array, visits);
  tensors.traceMax = layout.add('trace', Float64Array, steps);
  tensors.traceSum = layout.add('trace', Float64Array, steps);
  tensors.traceOutput = layout.add('trace', Float64Array, outputs);

  return (read) => {
    const visited = read(Uint8Array, tensors.traceVisited, visits);
    const max = read(Float64Array, tensors.traceMax, steps);
    const sum = read(Float64Array, tensors.traceSum, steps);
    const output = read(Float64Array, tensors.traceOutput, outputs);
    return {
      tile,
      tiles: Array.from(visited, (visit, index) => {
        const keyTile = index % keyTiles;
        const queryTile = Math.floor(index / keyTiles) % queryTiles;
        const head = Math.floor(index / (keyTiles * queryTiles));
        const from = queryTile * tile.queries;
        const to = Math.min(from + tile.queries, queries);
        const rows = Array.from({ length: to - from }, (_, row) => (head * queries + from + row) * keyTiles + keyTile);
        return {
          batch: Math.floor(head / queryHeads),
          head: head % queryHeads,
          queries: [from, to],
          keys: [keyTile * tile.keys, Math.min((keyTile + 1) * tile.keys, keys)],
          visited: visit !== 0,
          max: rows.map((row) => max[row]),
          sum: rows.map((row) => sum[row]),
          output: rows.map((row) => listOf(output, row * valueDim, valueDim)),
        };
      }),
    };
  };
}

/** A part of an array; `Array.from` would take several times as long. @param {ArrayLike<number>} from @param {number} start @param {number} length */
function listOf(from, start, length) {
  const list = [];
  for (let i = 0; i < length; i++) list.push(from[start + i]);
  return list;
}
