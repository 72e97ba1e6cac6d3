import { tensorsOf } from './attention-call.js';
import { reportOf } from './attention.js';
import { readCount } from './counts.js';
import { refusals } from './errors.js';
import { askMods } from './mods.js';
import { boolean } from './option-values.js';
import { readOptions, tiledOptions } from './options.js';
import { readOut } from './out.js';
import { record } from './record.js';
import { Settings } from './settings.js';
import { ofRank, readTensor } from './tensor-input.js';

/** @typedef {import('./core.js').Core} Core */
/**
 * @template {Float32Array | Float64Array} Data
 * @typedef {import('./tensor.js').Tensor<Data>} Tensor
 */
/** @typedef {import('./tensor-input.js').View} View */
/** @typedef {'wq' | 'wk' | 'wv' | 'wo' | 'bq' | 'bk' | 'bv' | 'bo'} LayerName */

/**
 * One of the ways to compute multi-head attention: its precision and its raw functions.
 * @template {typeof Float32Array | typeof Float64Array} C
 * @template {{ status: number }} Run
 * @typedef {object} MultiHeadMethod
 * @property {string} name
 * @property {C} type
 * @property {boolean} returnWeights the default of the option
 * @property {(raw: import('./raw.js').RawCore) => import('./raw.js').PrepareMultiHead} prepare
 * @property {(raw: import('./raw.js').RawCore, places: import('./raw.js').LayerPlaces) => Run} run
 */

/** @type {MultiHeadMethod<typeof Float32Array, import('./raw.js').RawReport>} */
const tiled = {
  name: 'multiHeadAttention',
  type: Float32Array,
  returnWeights: false,
  prepare: (raw) => raw._prepareMultiHead,
  run: (raw, places) => raw._multiHead(...places),
};

/** @type {MultiHeadMethod<typeof Float64Array, { status: number }>} */
const formula = {
  name: 'reference.multiHeadAttention',
  type: Float64Array,
  returnWeights: true,
  prepare: (raw) => raw._prepareReferenceMultiHead,
  run: (raw, places) => ({ status: raw._referenceMultiHead(...places) }),
};

/**
 * output = [head₀, head₁, …]·wo + bo with headₕ = attention(x·wq + bq, context·wk + bk, context·wv + bv), each of its own
 * columns.
 * @param {Core} core @param {unknown} x @param {unknown} options
 */
export function multiHeadAttention(core, x, options) {
  const { result, plan, run } = callMultiHead(core, tiled, x, options);
  return { ...result, report: reportOf(core, plan, run) };
}

/** The same by the formula in float64. @param {Core} core @param {unknown} x @param {unknown} options */
export const referenceMultiHeadAttention = (core, x, options) => callMultiHead(core, formula, x, options).result;

const layerNames = /** @type {const} */ (['wq', 'wk', 'wv', 'wo', 'bq', 'bk', 'bv', 'bo']);
const ownOptions = [...layerNames, 'heads', 'kvHeads', 'context', 'contextValues', 'returnHeads'];

/**
 * @template {typeof Float32Array | typeof Float64Array} C
 * @template {{ status: number }} Run
 * @param {Core} core @param {MultiHeadMethod<C, Run>} method @param {unknown} x @param {unknown} options
 */
function callMultiHead(core, method, x, options) {
  const { name, type, prepare, run } = method;
  const plan = planMultiHead(core, method, x, options);
  const { shape, settings, settings: { wire, layout, tensors }, widths, layers, outputs, places } = plan;
  const { result, base, memory } = core.executeCall(
    name, { shape, wire, tensors, layout }, (raw, bytes) => prepare(raw)(...widths, bytes), (raw) => run(raw, layers),
  );
  core.expectOk(name, result.status, layout);
  const values = memory.readOutputs(type, base, outputs, places, settings.arrays);
  return { plan, run: result, result: /** @type {ReturnType<typeof tensorsOf<InstanceType<C>>> & { heads?: Tensor<InstanceType<C>> }} */ (tensorsOf(plan, values)) };
}

/**
 * A call that is sound, before any memory is set aside.
 * @param {Core} core
 * @param {Pick<MultiHeadMethod<typeof Float32Array | typeof Float64Array, any>, 'name' | 'type' | 'returnWeights'>} method
 * @param {unknown} x @param {unknown} options
 */
function planMultiHead(core, { name, type, returnWeights }, x, options) {
  const given = record('options', options, [...ownOptions, ...tiledOptions]);
  const inputs = readSequences(x, given.context, given.contextValues);
  const { shape, widths, views } = readLayers(given, inputs);
  const attentionOptions = Object.fromEntries(Object.entries(given).filter(([option]) => !ownOptions.includes(option)));
  const settings = readOptions(attentionOptions, tiledOptions, new Settings({ type, returnWeights }), shape);
  if (settings.trace) throw refusals.notHere('trace', 'false', name, 'leaves none', true);
  const returnHeads = given.returnHeads !== undefined && boolean('returnHeads', given.returnHeads);

  const { layout, tensors } = settings;
  const place = (/** @type {typeof layout} */ to, /** @type {typeof type} */ as) => {
    const query = to.addInput('x', as, inputs.x);
    const key = inputs.context === inputs.x ? query : to.addInput('context', as, inputs.context);
    const value = inputs.contextValues === inputs.context ? key : to.addInput('contextValues', as, inputs.contextValues);
    const layers = layerNames.map((layer) => (views[layer] ? to.addInput(layer, as, views[layer]) : 0));
    return { tensors: { query, key, value }, layers };
  };
  askMods(core, name, shape, settings, () => projected(core, name, shape, settings, widths, place));
  const placed = place(layout, type);
  Object.assign(tensors, placed.tensors);

  const batch = inputs.x.shape.slice(0, -2);
  const rows = [...batch, shape.queryHeads, shape.queries];
  /** @type {Record<string, number[]>} */
  const outputs = {
    output: [...batch, shape.queries, widths[3] || shape.queryHeads * shape.valueDim],
    ...(settings.returnWeights && { weights: [...rows, shape.keys] }),
    ...(settings.returnScores && { scores: [...rows, shape.keys] }),
    ...(settings.returnLogSumExp && { logSumExp: rows }),
    ...(returnHeads && { heads: [...rows, shape.valueDim] }),
  };
  settings.arrays = readOut(settings.out, type.name, outputs);
  /** @type {Record<string, number>} */
  const places = Object.fromEntries(Object.entries(outputs).map(([output, size]) => [output, layout.add(output, type, size)]));
  const { heads = 0, ...others } = places;
  Object.assign(tensors, others);
  return { shape, settings, widths, layers: /** @type {import('./raw.js').LayerPlaces} */ ([...placed.layers, heads]), outputs, places };
}

/** @typedef {[queryWidth: number, keyWidth: number, valueWidth: number, outputWidth: number]} Widths */

/**
 * Queries and keys of all heads in float64, as `scoreMod` sees them.
 * @param {Core} core @param {string} name @param {import('./inputs.js').CallShape} shape @param {Settings} settings
 * @param {Widths} widths
 * @param {(layout: import('./layout.js').Layout, type: typeof Float64Array) => { tensors: object, layers: number[] }} place
 */
function projected(core, name, shape, settings, widths, place) {
  const layout = settings.layout.copy();
  const { tensors, layers: [wq, wk, , , bq, bk] } = place(layout, Float64Array);
  const query = { shape: [shape.batch, shape.queryHeads, shape.queries, shape.queryDim], place: 0 };
  const key = { shape: [shape.batch, shape.kvHeads, shape.keys, shape.keyDim], place: 0 };
  query.place = layout.add('queries', Float64Array, query.shape);
  key.place = layout.add('keys', Float64Array, key.shape);
  const { result, base, memory } = core.executeCall(
    name, { shape, wire: settings.wire, tensors: { ...settings.tensors, ...tensors }, layout },
    (raw, bytes) => raw._prepareReferenceMultiHead(...widths, bytes),
    (raw) => raw._projectQueriesAndKeys(wq, wk, bq, bk, query.place, key.place),
  );
  core.expectOk(name, result, layout);
  const read = (/** @type {typeof query} */ { shape: size, place: at }) => ({ data: memory.read(Float64Array, base + at, size), shape: size });
  return { query: read(query), key: read(key) };
}

/** x, and what keys and values are made from: x itself unless there is a context. @param {unknown} x @param {unknown} context @param {unknown} contextValues */
function readSequences(x, context, contextValues) {
  const own = readTensor('x', x, ofRank('x', [2, 3]), ['batch', 'queries', 'width']);
  requireWidth('x', own);
  const read = (/** @type {string} */ name, /** @type {unknown} */ value, /** @type {View} */ instead) => {
    if (value === undefined) return instead;
    const view = readTensor(name, value, ofRank(name, [2, 3]), ['batch', 'keys', 'width']);
    if (view.shape.length !== own.shape.length) throw refusals.sameRank(name, own.shape.length, 'x', view.shape.length);
    if (view.shape.length === 3 && view.shape[0] !== own.shape[0]) throw refusals.sameSize(name, 'batch', own.shape[0], 'x', view.shape[0]);
    requireWidth(name, view);
    return view;
  };
  const keys = read('context', context, own);
  const values = read('contextValues', contextValues, keys);
  const [expected, got] = [keys, values].map(({ shape }) => shape[shape.length - 2]);
  if (expected !== got) throw refusals.sameSize('contextValues', 'number of keys', expected, 'context', got);
  return { x: own, context: keys, contextValues: values };
}

/** @param {string} name @param {View} view */
function requireWidth(name, { shape }) {
  if (shape[shape.length - 1] === 0) throw refusals.width(name, shape);
}

/**
 * The sizes of the call, which follow from those of its layers.
 * @param {Record<string, unknown>} given @param {ReturnType<typeof readSequences>} inputs
 */
function readLayers(given, { x, context, contextValues }) {
  const queryHeads = readCount('heads', given.heads);
  const kvHeads = given.kvHeads === undefined ? queryHeads : readCount('kvHeads', given.kvHeads);
  if (queryHeads % kvHeads !== 0) throw refusals.headGroups(queryHeads, kvHeads);
  const last = (/** @type {View} */ { shape }, /** @type {number} */ place) => shape[shape.length - place];

  /** @type {Partial<Record<LayerName, View>>} */
  const views = {};
  /** A layer's weights and bias; gives the width of one head. */
  const read = (/** @type {'q' | 'k' | 'v'} */ layer, /** @type {View} */ from, /** @type {string} */ fromName, /** @type {number} */ heads) => {
    const weights = readTensor(`w${layer}`, given[`w${layer}`], (shape) => {
      if (shape.length !== 2 || shape[0] !== last(from, 1) || shape[1] === 0 || shape[1] % heads !== 0) {
        throw refusals.parameter(`w${layer}`, `[${last(from, 1)}, a multiple of ${heads}] (width of ${fromName} by heads × width of a head)`, shape);
      }
    });
    views[`w${layer}`] = weights;
    readBias(`b${layer}`, weights.shape[1]);
    return weights.shape[1] / heads;
  };
  const readBias = (/** @type {'bq' | 'bk' | 'bv' | 'bo'} */ name, /** @type {number} */ width) => {
    if (given[name] === undefined) return;
    views[name] = readTensor(name, given[name], (shape) => {
      if (shape.length !== 1 || shape[0] !== width) throw refusals.parameter(name, `[${width}] (columns of w${name[1]})`, shape);
    });
  };
  const shape = {
    batch: x.shape.length === 3 ? x.shape[0] : 1,
    queryHeads,
    kvHeads,
    queries: last(x, 2),
    keys: last(context, 2),
    queryDim: read('q', x, 'x', queryHeads),
    keyDim: read('k', context, 'the context', kvHeads),
    valueDim: read('v', contextValues, 'the context', kvHeads),
  };
  let outputWidth = 0;
  if (given.wo !== undefined) {
    const joined = queryHeads * shape.valueDim;
    views.wo = readTensor('wo', given.wo, (own) => {
      if (own.length !== 2 || own[0] !== joined || own[1] === 0) throw refusals.parameter('wo', `[${joined}, at least 1] (heads × width of a value by width of the output)`, own);
    });
    outputWidth = views.wo.shape[1];
    readBias('bo', outputWidth);
  } else if (given.bo !== undefined) throw refusals.biasAlone();
  const widths = /** @type {Widths} */ ([last(x, 1), last(context, 1), last(contextValues, 1), outputWidth]);
  return { shape, widths, views };
}
