import { refusals } from './errors.js';
import { leadingAxes, readInputs } from './inputs.js';
import { Layout } from './layout.js';
import { boolean, choice, number } from './option-values.js';
import { record } from './record.js';
import { readTensor } from './tensor-input.js';
import { Tensor } from './tensor.js';

/** @typedef {import('./inputs.js').CallShape} CallShape */
/** @typedef {typeof Float32Array | typeof Float64Array} FloatType */

/** A tensor repeated to [B, Hk, nk, d]; place 0: not given. */
const notGiven = { place: 0, batch: 0, head: 0, query: 0, key: 0 };

/** Options and places as they cross to C++ (`cpp/bindings/linear_attention.cpp`). */
const nothing = {
  featureMap: 0, causal: false, normalize: false, scale: 1,
  query: 0, key: 0, value: 0, decay: notGiven, beta: notGiven, state: 0, output: 0, nextState: 0,
};

/** @typedef {typeof nothing} LinearAttentionCall */

const names = ['featureMap', 'causal', 'normalize', 'rule', 'decay', 'beta', 'scale', 'state'];

/** attn::FeatureMap, in its order. */
const featureMaps = ['elu+1', 'relu', 'identity'];

const rules = ['linear', 'gated', 'delta', 'gated-delta'];
const gates = {
  decay: { rules: ['gated', 'gated-delta'], width: (/** @type {CallShape} */ { keyDim }) => keyDim },
  beta: { rules: ['delta', 'gated-delta'], width: () => 1 },
};

/**
 * Linear attention in float32 over a state in float64.
 * @param {import('./core.js').Core} core
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 */
export const linearAttention = (core, q, k, v, options) =>
  call(core, 'linearAttention', Float32Array, (raw) => raw._prepareLinearAttention, (raw) => raw._linearAttention, q, k, v, options);

/**
 * The same by the formula in float64.
 * @param {import('./core.js').Core} core
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 */
export const referenceLinearAttention = (core, q, k, v, options) =>
  call(core, 'reference.linearAttention', Float64Array, (raw) => raw._prepareReferenceLinearAttention, (raw) => raw._referenceLinearAttention, q, k, v, options);

/**
 * @template {FloatType} C
 * @param {import('./core.js').Core} core
 * @param {string} name
 * @param {C} type
 * @param {(raw: import('./raw.js').RawCore) => (shape: CallShape, bytes: number) => number} prepare
 * @param {(raw: import('./raw.js').RawCore) => import('./raw.js').RunLinearAttention} run
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 */
function call(core, name, type, prepare, run, q, k, v, options = {}) {
  const { query, key, value, shape } = readInputs(q, k, v);
  const given = record('options', options, names);
  const layout = new Layout();
  const wire = { ...nothing, ...readForm(given, shape) };
  const keyAxes = leadingAxes(key);
  wire.decay = readGate('decay', given, layout, type, keyAxes, shape);
  wire.beta = readGate('beta', given, layout, type, keyAxes, shape);

  const stateShape = [...keyAxes, shape.keyDim, shape.valueDim + (wire.normalize ? 1 : 0)];
  if (given.state !== undefined) {
    const state = readTensor('state', given.state, (own) => {
      if (own.join() !== stateShape.join()) throw refusals.sameShape('state', stateShape, 'the one this call returns', own);
    });
    wire.state = layout.addInput('state', Float64Array, state);
  }
  wire.query = layout.addInput('q', type, query);
  wire.key = layout.addInput('k', type, key);
  wire.value = layout.addInput('v', type, value);
  const outputShape = [...leadingAxes(query), shape.queries, shape.valueDim];
  wire.output = layout.add('output', type, outputShape);
  wire.nextState = layout.add('state', Float64Array, stateShape);

  const { result, base, memory } = core.execute(
    name, layout, (raw) => prepare(raw)(shape, layout.bytes), (raw, at) => run(raw)(shape, wire, at),
  );
  core.expectOk(name, result, layout);
  return {
    output: new Tensor(memory.read(type, base + wire.output, outputShape), outputShape),
    state: new Tensor(memory.read(Float64Array, base + wire.nextState, stateShape), stateShape),
  };
}

/**
 * What is computed. Without a rule it is the kernel form, which replaces the softmax; a rule means the operator of that
 * name, and the defaults are the operator's.
 * @param {Record<string, unknown>} given @param {CallShape} shape
 */
function readForm(given, { keyDim }) {
  const kernelForm = given.rule === undefined;
  if (!kernelForm) choice('rule', rules, given.rule);
  const {
    featureMap = kernelForm ? 'elu+1' : 'identity',
    causal = !kernelForm,
    normalize = kernelForm,
    scale = kernelForm ? 1 : 1 / Math.sqrt(keyDim),
  } = given;
  return {
    featureMap: choice('featureMap', featureMaps, featureMap),
    causal: boolean('causal', causal),
    normalize: boolean('normalize', normalize),
    scale: number('scale', 'a finite number', scale, Number.isFinite),
  };
}

/**
 * Room for a decay or beta, if the rule uses one.
 * @param {'decay' | 'beta'} name @param {Record<string, unknown>} given
 * @param {Layout} layout @param {FloatType} type @param {readonly number[]} keyAxes @param {CallShape} shape
 */
function readGate(name, given, layout, type, keyAxes, shape) {
  const value = given[name];
  const { rules: users, width } = gates[name];
  const rule = String(given.rule);
  if (!users.includes(rule)) {
    if (value !== undefined) throw refusals.notUsed(name, users, value);
    return notGiven;
  }
  if (value === undefined) throw refusals.needed(name, rule);
  const full = [...keyAxes, shape.keys, width(shape)];
  const gate = readTensor(name, value, (own) => void gateStrides(name, own, full));
  const [batch, head, query, key] = gateStrides(name, gate.shape, full);
  return { place: layout.addInput(name, type, gate), batch, head, query, key };
}

/**
 * The strides that repeat a gate to [B, Hk, nk, width]. It has all axes of k, or all but the last: then one number
 * serves for the whole key.
 * @param {string} name @param {readonly number[]} own @param {readonly number[]} full
 */
function gateStrides(name, own, full) {
  const shape = own.length === full.length - 1 ? [...own, 1] : own;
  const fits = shape.length === full.length && shape.every((size, axis) => size === full[axis] || size === 1);
  if (!fits) throw refusals.gate(name, full, own);
  const strides = [0, 0, 0, 0];
  for (let axis = shape.length - 1, step = 1; axis >= 0; step *= shape[axis--]) {
    if (shape[axis] !== 1) strides[axis + 4 - shape.length] = step;
  }
  return strides;
}
