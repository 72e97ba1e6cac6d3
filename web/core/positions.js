import { readCount, readSize } from './counts.js';
import { refusals } from './errors.js';
import { Layout } from './layout.js';
import { boolean, number } from './option-values.js';
import { record } from './record.js';
import { readRows } from './rows.js';
import { Tensor } from './tensor.js';

/** Positions this far from 0, and as many rows after it as a tensor can have, are exact in float64. */
const farthest = 2 ** 52;

/**
 * Rows turned by their position.
 * @param {import('./core.js').Core} core
 * @param {unknown} x rank 2 to 4
 * @param {unknown} options
 */
export function rope(core, x, options = {}) {
  const { view, leading, columns: width } = readRows('x', x, [2, 3, 4]);
  if (width === 0) throw refusals.width('x', view.shape);
  const { base, offset, interleaved = false, dims } = record('options', options, ['base', 'offset', 'interleaved', 'dims']);
  const wave = { base: readBase(base), offset: readPosition('offset', offset, 0) };
  const pairs = boolean('interleaved', interleaved);
  if (dims === undefined && width % 2 === 1) throw refusals.evenWidth(view.shape);
  const turned = number('dims', `an even number from 2 to ${width}`, dims === undefined ? width : dims, (count) => count >= 2 && count <= width && count % 2 === 0);
  const length = leading[leading.length - 1];
  const heads = leading.slice(0, -1).reduce((product, size) => product * size, 1);
  const layout = new Layout();
  const input = layout.addInput('x', Float32Array, view);
  return create(core, 'positions.rope', layout, view.shape, (raw, at, output) =>
    raw._rope(at + input, heads, length, width, turned, wave.base, wave.offset, pairs, output));
}

/**
 * A bias that grows with the distance of query and key, [heads, queries, keys].
 * @param {import('./core.js').Core} core
 * @param {unknown} settings
 */
export function alibi(core, settings) {
  const given = record('settings', settings, ['heads', 'queries', 'keys', 'queryOffset']);
  const heads = readCount('heads', given.heads);
  const queries = readSize('queries', given.queries);
  const keys = readSize('keys', given.keys);
  const queryOffset = readPosition('queryOffset', given.queryOffset, keys - queries);
  return create(core, 'positions.alibi', new Layout(), [heads, queries, keys], (raw, _, output) =>
    raw._alibi(heads, queries, keys, queryOffset, output));
}

/**
 * Sines and cosines of the position, [length, dim].
 * @param {import('./core.js').Core} core
 * @param {unknown} settings
 */
export function sinusoidal(core, settings) {
  const given = record('settings', settings, ['length', 'dim', 'base', 'offset']);
  const length = readSize('length', given.length);
  const dim = readCount('dim', given.dim);
  const base = readBase(given.base);
  const offset = readPosition('offset', given.offset, 0);
  return create(core, 'positions.sinusoidal', new Layout(), [length, dim], (raw, _, output) =>
    raw._sinusoidal(length, dim, base, offset, output));
}

/**
 * Runs a call whose one result is a float32 tensor.
 * @param {import('./core.js').Core} core
 * @param {string} name
 * @param {Layout} layout its inputs
 * @param {number[]} shape
 * @param {(raw: import('./raw.js').RawCore, at: number, output: number) => void} run
 */
function create(core, name, layout, shape, run) {
  const output = layout.add('result', Float32Array, shape);
  const { base, memory } = core.execute(name, layout, (raw) => raw._reserve(layout.bytes), (raw, at) => run(raw, at, at + output));
  return new Tensor(memory.read(Float32Array, base + output, shape), shape);
}

/** @param {unknown} value */
const readBase = (value = 10000) => number('base', 'a finite number of at least 1', value, (base) => Number.isFinite(base) && base >= 1);

/** @param {string} name @param {unknown} value @param {number} otherwise */
const readPosition = (name, value, otherwise) =>
  number(name, `a whole number from -${farthest} to ${farthest}`, value === undefined ? otherwise : value, (p) => Number.isInteger(p) && Math.abs(p) <= farthest);
