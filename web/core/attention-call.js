import { leadingAxes, readInputs } from './inputs.js';
import { askMods } from './mods.js';
import { readOptions } from './options.js';
import { readOut } from './out.js';
import { Settings } from './settings.js';
import { Tensor } from './tensor.js';
import { planTrace } from './trace.js';

/**
 * One of the ways to compute attention: its precision and its raw functions.
 * @template {typeof Float32Array | typeof Float64Array} C
 * @template {{ status: number }} Run
 * @typedef {object} Method
 * @property {string} name
 * @property {C} type
 * @property {boolean} returnWeights the default of the option
 * @property {readonly string[]} known the options there are
 * @property {import('./raw.js').Prepare} prepare
 * @property {(raw: import('./raw.js').RawCore) => Run} run
 */

/**
 * A call that is sound, before any memory is set aside: what it is asked to do, and where its tensors will lie.
 * @typedef {ReturnType<typeof planAttention>} Plan
 */

/**
 * @template {typeof Float32Array | typeof Float64Array} C
 * @template {{ status: number }} Run
 * @param {import('./core.js').Core} core
 * @param {Method<C, Run>} method
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 */
export function planAttention(core, { name, type, returnWeights, known }, q, k, v, options) {
  const { query, key, value, shape } = readInputs(q, k, v, true);
  const settings = readOptions(options, known, new Settings({ type, returnWeights }), shape);
  askMods(core, name, shape, settings, () => ({ query, key }));
  const { layout, tensors } = settings;
  tensors.query = layout.addInput('q', type, query);
  tensors.key = layout.addInput('k', type, key);
  tensors.value = layout.addInput('v', type, value);

  return { shape, settings, outputs: planOutputs(settings, leadingAxes(query), shape) };
}

/**
 * The outputs that are asked for, each with its shape and its place in the layout.
 * @param {Settings} settings @param {readonly number[]} leading the axes before the queries @param {import('./inputs.js').CallShape} shape
 */
export function planOutputs(settings, leading, { queries, keys, valueDim }) {
  const { layout, tensors, type } = settings;
  const rows = [...leading, queries];
  const cells = [...rows, keys];
  /** @type {Partial<Record<OutputName, number[]>>} */
  const outputs = {
    output: [...rows, valueDim],
    ...(settings.returnWeights && { weights: cells }),
    ...(settings.returnScores && { scores: cells }),
    ...(settings.returnLogSumExp && { logSumExp: rows }),
  };
  settings.arrays = readOut(settings.out, type.name, outputs);
  for (const [name, size] of entriesOf(outputs)) tensors[name] = layout.add(name, type, size);
  return outputs;
}

/**
 * Plans the call, runs it, and collects its tensors and what is known about the run.
 * @template {typeof Float32Array | typeof Float64Array} C
 * @template {{ status: number }} Run
 * @param {import('./core.js').Core} core
 * @param {Method<C, Run>} method
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 */
export function callAttention(core, method, q, k, v, options) {
  const { name, type, prepare, run } = method;
  const plan = planAttention(core, method, q, k, v, options);
  const trace = plan.settings.trace ? planTrace(core, name, plan) : undefined;
  const { shape, settings: { wire, layout, tensors } } = plan;
  const { result, base, memory } = core.executeCall(name, { shape, wire, tensors, layout }, prepare, run);
  core.expectOk(name, result.status, layout);
  const traced = trace && { trace: trace((from, place, size) => memory.read(from, base + place, size)) };
  const values = memory.readOutputs(type, base, plan.outputs, tensors, plan.settings.arrays);
  return { plan, run: result, result: { ...tensorsOf(plan, values), ...traced } };
}

/**
 * The outputs as the caller gets them.
 * @template {Float32Array | Float64Array} Data
 * @param {{ outputs: Readonly<Record<string, readonly number[]>> }} plan @param {Record<string, Data>} values
 */
export const tensorsOf = ({ outputs }, values) =>
  /** @type {{ output: Tensor<Data>, weights?: Tensor<Data>, scores?: Tensor<Data>, logSumExp?: Tensor<Data> }} */ (
    Object.fromEntries(Object.entries(outputs).map(([name, size]) => [name, new Tensor(values[name], [...size])]))
  );

/** @typedef {'output' | 'weights' | 'scores' | 'logSumExp'} OutputName */

/** @param {Plan['outputs']} outputs */
export const entriesOf = (outputs) => /** @type {[OutputName, number[]][]} */ (Object.entries(outputs));
