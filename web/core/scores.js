import { leadingAxes, readQueriesAndKeys } from './inputs.js';
import { askMods } from './mods.js';
import { readOptions, scoreOptions } from './options.js';
import { Settings } from './settings.js';
import { Tensor } from './tensor.js';

/**
 * One of the ways to compute scores: its precision and its raw functions.
 * @template {typeof Float32Array | typeof Float64Array} C
 * @typedef {object} ScoreMethod
 * @property {string} name
 * @property {C} type
 * @property {import('./raw.js').Prepare} prepare
 * @property {(raw: import('./raw.js').RawCore) => number} run
 */

/** @type {ScoreMethod<typeof Float32Array>} */
const roundedOnce = { name: 'scores', type: Float32Array, prepare: (raw, bytes) => raw._prepareScores(bytes), run: (raw) => raw._scores() };

/**
 * What the softmax of `attention` would see: after scale, softcap, bias and masks, −Infinity where masked.
 * @param {import('./core.js').Core} core
 * @param {unknown} q @param {unknown} k @param {unknown} options
 */
export const scores = (core, q, k, options) => callScores(core, roundedOnce, q, k, options);

/**
 * @template {typeof Float32Array | typeof Float64Array} C
 * @param {import('./core.js').Core} core
 * @param {ScoreMethod<C>} method
 * @param {unknown} q @param {unknown} k @param {unknown} options
 */
export function callScores(core, { name, type, prepare, run }, q, k, options) {
  const { query, key, shape } = readQueriesAndKeys(q, k, true);
  const settings = readOptions(options, scoreOptions, new Settings({ type }), shape);
  askMods(core, name, shape, settings, () => ({ query, key }));
  const { layout, tensors, wire } = settings;
  const cells = [...leadingAxes(query), shape.queries, shape.keys];
  tensors.query = layout.addInput('q', type, query);
  tensors.key = layout.addInput('k', type, key);
  tensors.scores = layout.add('scores', type, cells);
  const { result, base, memory } = core.executeCall(name, { shape, wire, tensors, layout }, prepare, run);
  core.expectOk(name, result, layout);
  return new Tensor(memory.read(type, base + tensors.scores, cells), cells);
}
