import { leadingAxes, readInputs } from './inputs.js';
import { attentionOptions, readOptions } from './options.js';
import { Settings } from './settings.js';
import { Tensor } from './tensor.js';

/**
 * One of the ways to compute attention: its precision and its raw functions.
 * @template {typeof Float32Array | typeof Float64Array} C
 * @template {{ status: number }} Run
 * @typedef {object} Method
 * @property {string} name
 * @property {C} type
 * @property {boolean} returnWeights the default of the option
 * @property {(raw: import('./raw.js').RawCore) => import('./raw.js').Prepare} prepare
 * @property {(raw: import('./raw.js').RawCore) => Run} run
 */

/**
 * Validates the call, runs it, and collects its tensors and what is known about the run.
 * @template {typeof Float32Array | typeof Float64Array} C
 * @template {{ status: number }} Run
 * @param {import('./core.js').Core} core
 * @param {Method<C, Run>} method
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 */
export function callAttention(core, { name, type, returnWeights, prepare, run }, q, k, v, options) {
  const { query, key, value, shape } = readInputs(q, k, v);
  const settings = readOptions(options, attentionOptions, new Settings({ type, returnWeights }), shape);
  const { layout, tensors } = settings;
  tensors.query = layout.addInput('q', type, query);
  tensors.key = layout.addInput('k', type, key);
  tensors.value = layout.addInput('v', type, value);

  const rows = [...leadingAxes(query), shape.queries];
  const cells = [...rows, shape.keys];
  const outputShape = [...rows, shape.valueDim];
  tensors.output = layout.add('output', type, outputShape);
  if (settings.returnWeights) tensors.weights = layout.add('weights', type, cells);
  if (settings.returnScores) tensors.scores = layout.add('scores', type, cells);
  if (settings.returnLogSumExp) tensors.logSumExp = layout.add('logSumExp', type, rows);

  const { result, base, memory } = core.execute(
    name, layout, (raw) => prepare(raw)(shape, settings.wire, tensors, layout.bytes), run,
  );
  core.expectOk(name, result.status, layout);

  const read = (/** @type {number} */ place, /** @type {number[]} */ size) =>
    new Tensor(memory.read(type, base + place, size), [...size]);
  return {
    shape,
    settings,
    run: result,
    result: {
      output: read(tensors.output, outputShape),
      ...(settings.returnWeights && { weights: read(tensors.weights, cells) }),
      ...(settings.returnScores && { scores: read(tensors.scores, cells) }),
      ...(settings.returnLogSumExp && { logSumExp: read(tensors.logSumExp, rows) }),
    },
  };
}
