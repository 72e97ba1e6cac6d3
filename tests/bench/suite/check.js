// Nobody's time counts before the result was held against the formula in float64.
import { layersOf, optionsOf, outputGradient, tensors } from '../contestants/engine.js';
import { reach } from './problem.js';

/** @typedef {import('./problem.js').Problem} Problem */
/** @typedef {(outputs: Float32Array[]) => number} Check gives the largest error, relative to what it may be relative to; Infinity where there are no such numbers */

/** What passes for a right result of anybody: float32 rounds by 6e-8, and sums of thousands of terms by more. */
export const tolerance = 1e-4;

/** At most so many pairs of a query and a key go through the formula in one call, and so many in all. */
const pairsAtOnce = 2 ** 17;
const pairsInAll = 2 ** 20;

/** Blocks of queries, all of them if that is not too many, else some that are spread over the whole with both ends. @param {Problem} problem */
function sampledBlocks({ heads, queries, keys }) {
  const size = Math.max(1, Math.min(queries, Math.floor(pairsAtOnce / (heads * keys))));
  const all = Math.ceil(queries / size);
  const count = Math.min(all, Math.max(2, Math.floor(pairsInAll / (heads * size * keys))));
  return Array.from({ length: count }, (_, i) => {
    const block = count === 1 ? 0 : Math.round((i * (all - 1)) / (count - 1));
    return { from: block * size, to: Math.min(queries, (block + 1) * size) };
  });
}

/** The part of a problem that queries `from` to `to` are. @param {Problem} problem @param {number} from @param {number} to */
function rowsOf(problem, from, to) {
  const { heads, queries, keys, width, q, allow, bias, blocks, blockAllow } = problem;
  const count = to - from;
  const part = new Float32Array(heads * count * width);
  for (let h = 0; h < heads; h++) part.set(q.subarray((h * queries + from) * width, (h * queries + to) * width), h * count * width);
  const cells = blocks === undefined || !blockAllow ? undefined : Uint8Array.from({ length: count * keys }, (_, at) => Number(blockAllow[Math.floor((from + Math.floor(at / keys)) / blocks)][Math.floor((at % keys) / blocks)]));
  const rows = { ...problem, queries: count, q: part, allow: cells ?? allow?.subarray(from * keys, to * keys), bias: bias?.subarray(from * keys, to * keys), blockAllow: undefined };
  return { inputs: tensors(rows), options: { ...optionsOf(rows), queryOffset: from + keys - queries } };
}

/** The largest size of a number within the values that a query may see. @param {Problem} problem @param {number} kvHead @param {number} i */
function largestValue(problem, kvHead, i) {
  const { keys, valueWidth, v } = problem;
  const { first, end } = reach(problem, i);
  let largest = 0;
  for (let at = (kvHead * keys + first) * valueWidth; at < (kvHead * keys + end) * valueWidth; at++) largest = Math.max(largest, Math.abs(v[at]));
  return largest;
}

/** NaN is never right here, and compares as nothing. @param {number} value @param {number} right @param {number} unit */
const errorOf = (value, right, unit) => (Number.isNaN(value) ? Infinity : Math.abs(value - right) / unit);

/** @param {import('./package.js').Engine} engine @param {Problem} problem @returns {Check} relative to the row's largest |v| */
function attentionCheck(engine, problem) {
  const { heads, kvHeads, queries, valueWidth } = problem;
  const blocks = sampledBlocks(problem).map(({ from, to }) => {
    const { inputs, options } = rowsOf(problem, from, to);
    return { from, to, right: engine.reference.attention(inputs.q, inputs.k, inputs.v, { ...options, returnWeights: false }).output.data };
  });
  /** @type {Map<string, number>} */
  const units = new Map();
  for (const { from, to } of blocks) {
    for (let h = 0; h < heads; h++) for (let i = from; i < to; i++) units.set(`${h} ${i}`, largestValue(problem, Math.floor((h * kvHeads) / heads), i));
  }
  return ([output]) => {
    if (output.length !== heads * queries * valueWidth) return Infinity;
    let largest = 0;
    for (const { from, to, right } of blocks) {
      for (let at = 0; at < right.length; at++) {
        const row = Math.floor(at / valueWidth);
        const [h, i] = [Math.floor(row / (to - from)), from + (row % (to - from))];
        largest = Math.max(largest, errorOf(output[(h * queries + i) * valueWidth + (at % valueWidth)], right[at], Number(units.get(`${h} ${i}`))));
      }
    }
    return largest;
  };
}

/** @param {Float64Array[]} rights @returns {Check} relative to the largest number of each output */
const wholeCheck = (rights) => (outputs) =>
  Math.max(
    ...rights.map((right, which) => {
      if (outputs[which]?.length !== right.length) return Infinity;
      const unit = right.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      return right.reduce((most, x, at) => Math.max(most, errorOf(outputs[which][at], x, unit)), 0);
    }),
  );

/** @param {import('./package.js').Engine} engine @param {Problem} problem @returns {Check} */
export function checkOf(engine, problem) {
  const { reference } = engine;
  const { q, k, v } = tensors(problem);
  switch (problem.kind) {
    case 'backward': {
      const { dQuery, dKey, dValue } = reference.attentionBackward(q, k, v, outputGradient(problem), optionsOf(problem));
      return wholeCheck([dQuery.data, dKey.data, dValue.data]);
    }
    case 'linear':
      return wholeCheck([reference.linearAttention(q, k, v).output.data]);
    case 'multi-head': {
      const { x, options } = layersOf(problem);
      return wholeCheck([reference.multiHeadAttention(x, { ...options, returnWeights: false }).output.data]);
    }
    default:
      return attentionCheck(engine, problem);
  }
}
