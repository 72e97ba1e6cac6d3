import { reportOf } from './attention.js';
import { refusals } from './errors.js';
import { leadingAxes, readInputs } from './inputs.js';
import { askMods } from './mods.js';
import { readOptions, scoreOptions } from './options.js';
import { scoringKinds } from './scoring.js';
import { Settings } from './settings.js';
import { readTensor } from './tensor-input.js';
import { Tensor } from './tensor.js';

/**
 * One of the ways to compute gradients: its precision and its raw functions.
 * @template {typeof Float32Array | typeof Float64Array} C
 * @template {{ status: number }} Run
 * @typedef {object} GradientMethod
 * @property {string} name
 * @property {C} type
 * @property {readonly string[]} known the options there are
 * @property {import('./raw.js').Prepare} prepare
 * @property {(raw: import('./raw.js').RawCore, dQuery: number, dKey: number, dValue: number) => Run} run
 */

/** Options of all gradients. What has none is among them, so that its refusal can say why. */
export const gradientOptions = [...scoreOptions, 'emptyRows', 'trace'];

/** @type {GradientMethod<typeof Float32Array, import('./raw.js').RawReport>} */
const tiled = {
  name: 'attentionBackward',
  type: Float32Array,
  known: [...gradientOptions, 'tile'],
  prepare: (raw, bytes) => raw._prepareBackward(bytes),
  run: (raw, ...gradients) => raw._backward(...gradients),
};

/** @type {GradientMethod<typeof Float64Array, { status: number }>} */
const formula = {
  name: 'reference.attentionBackward',
  type: Float64Array,
  known: [...gradientOptions, 'tile'],
  prepare: (raw, bytes) => raw._prepareReferenceBackward(bytes),
  run: (raw, ...gradients) => ({ status: raw._referenceBackward(...gradients) }),
};

/**
 * The gradients of a loss with respect to q, k and v, from its gradient with respect to the output of `attention`.
 * @param {import('./core.js').Core} core
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} dOutput @param {unknown} options
 * @returns {import('./types/backward.js').BackwardResult}
 */
export function attentionBackward(core, q, k, v, dOutput, options) {
  const plan = planBackward(core, tiled, q, k, v, dOutput, options);
  const { gradients, run } = runBackward(core, tiled, plan);
  return { ...gradients, report: reportOf(core, plan, run) };
}

/**
 * The same by the formula in float64.
 * @param {import('./core.js').Core} core
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} dOutput @param {unknown} options
 */
export const referenceBackward = (core, q, k, v, dOutput, options) =>
  runBackward(core, formula, planBackward(core, formula, q, k, v, dOutput, options)).gradients;

/**
 * @param {import('./core.js').Core} core
 * @param {Pick<GradientMethod<typeof Float32Array | typeof Float64Array, any>, 'name' | 'type' | 'known'>} method
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} dOutput @param {unknown} options
 */
function planBackward(core, method, q, k, v, dOutput, options) {
  const inputs = readInputs(q, k, v, true);
  const { query, shape } = inputs;
  const outputShape = [...leadingAxes(query), shape.queries, shape.valueDim];
  const gradient = readTensor('dOutput', dOutput, (own) => {
    const nothing = outputShape.includes(0) && own.length === 1 && own[0] === 0;
    if (own.join() !== outputShape.join() && !nothing) throw refusals.sameShape('dOutput', outputShape, 'the output', own);
  });
  return planGradient(core, method, inputs, { data: gradient.data, shape: outputShape }, options);
}

/**
 * A gradient that is sound, before any memory is set aside.
 * @param {import('./core.js').Core} core
 * @param {Pick<GradientMethod<typeof Float32Array | typeof Float64Array, any>, 'name' | 'type' | 'known'>} method
 * @param {ReturnType<typeof readInputs>} inputs
 * @param {import('./layout.js').Values} dOutput of the output's shape
 * @param {unknown} options
 */
export function planGradient(core, { name, type, known }, { query, key, value, shape }, dOutput, options) {
  const settings = readOptions(options, known, new Settings({ type }), shape);
  requireDifferentiable(name, settings);
  askMods(core, name, shape, settings);
  const { layout, tensors } = settings;
  tensors.query = layout.addInput('q', type, query);
  tensors.key = layout.addInput('k', type, key);
  tensors.value = layout.addInput('v', type, value);
  tensors.output = layout.addInput('dOutput', type, dOutput);
  const places = {
    dQuery: layout.add('dQuery', type, query.shape),
    dKey: layout.add('dKey', type, key.shape),
    dValue: layout.add('dValue', type, value.shape),
  };
  return { shape, settings, places, sizes: { dQuery: query.shape, dKey: key.shape, dValue: value.shape } };
}

/**
 * @template {typeof Float32Array | typeof Float64Array} C
 * @template {{ status: number }} Run
 * @param {import('./core.js').Core} core @param {GradientMethod<C, Run>} method @param {ReturnType<typeof planGradient>} plan
 */
export function runBackward(core, { name, type, prepare, run }, { shape, settings, places, sizes }) {
  const { wire, layout, tensors } = settings;
  const { dQuery, dKey, dValue } = places;
  const { result, base, memory } = core.executeCall(
    name, { shape, wire, tensors, layout }, prepare, (raw) => run(raw, dQuery, dKey, dValue),
  );
  core.expectOk(name, result.status, layout);
  /** @typedef {import('./tensor.js').Tensor<InstanceType<C>>} Gradient */
  const read = (/** @type {number} */ place, /** @type {readonly number[]} */ size) =>
    /** @type {Gradient} */ (new Tensor(memory.read(type, base + place, size), [...size]));
  const gradients = {
    dQuery: read(dQuery, sizes.dQuery),
    dKey: read(dKey, sizes.dKey),
    dValue: read(dValue, sizes.dValue),
  };
  return { gradients, run: result, read };
}

/** Throws if an option stands in the way of a gradient. @param {string} name @param {Settings} settings */
function requireDifferentiable(name, { wire, scoreMod, trace }) {
  const kind = scoringKinds[wire.scoring.kind];
  if (kind !== 'scaled-dot' && kind !== 'dot') throw refusals.notHere('scoring.kind', "'scaled-dot' or 'dot'", name, 'knows no other gradient', kind);
  if (scoreMod) throw refusals.notHere('scoreMod', 'none', name, 'cannot differentiate a function', scoreMod);
  if (trace) throw refusals.notHere('trace', 'false', name, 'leaves none', trace);
}
