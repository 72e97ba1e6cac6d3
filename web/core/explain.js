import { gradientOptions, planGradient, runBackward } from './backward.js';
import { readRepeated } from './broadcast.js';
import { refusals } from './errors.js';
import { leadingAxes, readInputs } from './inputs.js';
import { askMods } from './mods.js';
import { number } from './option-values.js';
import { readOptions, scoreOptions } from './options.js';
import { record } from './record.js';
import { Settings } from './settings.js';
import { isSize } from './sizes.js';
import { Tensor } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */

/** Options of leaveOneOut and replaceValue. */
const rowOptions = [...scoreOptions, 'emptyRows'];

/**
 * The output of every query without each key in turn.
 * @param {Core} core @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 */
export function leaveOneOut(core, q, k, v, options) {
  const { shape, settings, rows } = planRows(core, 'explain.leaveOneOut', q, k, v, options);
  const { layout, tensors, wire } = settings;
  const cells = [...rows, shape.keys];
  const sizes = { output: [...rows, shape.valueDim], without: [...cells, shape.valueDim], difference: cells };
  tensors.output = layout.add('output', Float64Array, sizes.output);
  const without = layout.add('without', Float64Array, sizes.without);
  const difference = layout.add('difference', Float64Array, sizes.difference);
  const { result, base, memory } = core.executeCall(
    'explain.leaveOneOut', { shape, wire, tensors, layout }, (raw, bytes) => raw._prepareLeaveOneOut(bytes),
    (raw) => raw._leaveOneOut(without, difference),
  );
  core.expectOk('explain.leaveOneOut', result, layout);
  const read = reader(memory, base);
  return {
    output: read(tensors.output, sizes.output),
    without: read(without, sizes.without),
    difference: read(difference, sizes.difference),
  };
}

/**
 * The output once one key has another value.
 * @param {Core} core @param {unknown} q @param {unknown} k @param {unknown} v
 * @param {unknown} replacement `{ key, value }`
 * @param {unknown} options
 */
export function replaceValue(core, q, k, v, replacement, options) {
  const { shape, settings, rows } = planRows(core, 'explain.replaceValue', q, k, v, options);
  const { layout, tensors, wire } = settings;
  const given = record('replacement', replacement, ['key', 'value']);
  const key = number('replacement.key', `a key's number, a whole number below ${shape.keys}`, given.key, (j) => isSize(j) && j < shape.keys);
  const value = layout.addInput('replacement.value', Float64Array, readRepeated('replacement.value', given.value, [shape.batch, shape.kvHeads, shape.valueDim]));
  const outputShape = [...rows, shape.valueDim];
  tensors.output = layout.add('output', Float64Array, outputShape);
  const after = layout.add('after', Float64Array, outputShape);
  const difference = layout.add('difference', Float64Array, rows);
  const { result, base, memory } = core.executeCall(
    'explain.replaceValue', { shape, wire, tensors, layout }, (raw, bytes) => raw._prepareReplaceValue(bytes),
    (raw) => raw._replaceValue(key, value, after, difference),
  );
  core.expectOk('explain.replaceValue', result, layout);
  const read = reader(memory, base);
  return { output: read(tensors.output, outputShape), after: read(after, outputShape), difference: read(difference, rows) };
}

const gradientMethod = {
  name: 'explain.gradient',
  type: Float64Array,
  known: gradientOptions,
  prepare: (/** @type {import('./raw.js').RawCore} */ raw, /** @type {number} */ bytes) => raw._prepareReferenceBackward(bytes),
  run: (/** @type {import('./raw.js').RawCore} */ raw, /** @type {[number, number, number]} */ ...gradients) => ({ status: raw._explainGradient(...gradients) }),
};

/**
 * The gradient of a component of the output, or of its product with a direction.
 * @param {Core} core @param {unknown} q @param {unknown} k @param {unknown} v
 * @param {unknown} target `{ component }` or `{ direction }`, and `query` for one query alone
 * @param {unknown} options
 */
export function gradient(core, q, k, v, target, options) {
  const inputs = readInputs(q, k, v, true);
  const rows = [...leadingAxes(inputs.query), inputs.shape.queries];
  const direction = readTarget(target, [...rows, inputs.shape.valueDim]);
  const plan = planGradient(core, gradientMethod, inputs, direction, options);
  const { layout, tensors } = plan.settings;
  const cells = [...rows, inputs.shape.keys];
  tensors.weights = layout.add('dWeights', Float64Array, cells);
  tensors.scores = layout.add('dScores', Float64Array, cells);
  const { gradients, read } = runBackward(core, gradientMethod, plan);
  return { ...gradients, dWeights: read(tensors.weights, cells), dScores: read(tensors.scores, cells) };
}

/**
 * What the output is multiplied by: a tensor of its shape.
 * @param {unknown} target @param {readonly number[]} shape of the output
 */
function readTarget(target, shape) {
  const { component, direction, query } = record('target', target, ['component', 'direction', 'query']);
  const [queries, width] = shape.slice(-2);
  if ((component === undefined) === (direction === undefined)) throw refusals.oneTarget(component !== undefined);
  const below = (/** @type {string} */ name, /** @type {unknown} */ value, /** @type {number} */ limit) =>
    number(`target.${name}`, `a whole number below ${limit}`, value, (n) => isSize(n) && n < limit);
  const only = query === undefined ? undefined : below('query', query, queries);
  const whole = component === undefined
    ? readRepeated('target.direction', direction, shape)
    : readRepeated('target.component', unitVector(width, below('component', component, width)), shape);
  whole.data.forEach((_, place) => {
    if (only !== undefined && Math.floor(place / width) % queries !== only) whole.data[place] = 0;
  });
  return whole;
}

/** @param {number} width @param {number} place */
function unitVector(width, place) {
  const data = new Float64Array(width);
  data[place] = 1;
  return { data, shape: [width] };
}

/**
 * @param {Core} core @param {string} name
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 */
function planRows(core, name, q, k, v, options) {
  const { query, key, value, shape } = readInputs(q, k, v, true);
  const settings = readOptions(options, rowOptions, new Settings({ type: Float64Array }), shape);
  askMods(core, name, shape, settings, () => ({ query, key }));
  const { layout, tensors } = settings;
  tensors.query = layout.addInput('q', Float64Array, query);
  tensors.key = layout.addInput('k', Float64Array, key);
  tensors.value = layout.addInput('v', Float64Array, value);
  return { shape, settings, rows: [...leadingAxes(query), shape.queries] };
}

/** @param {import('./memory.js').Memory} memory @param {number} base */
const reader = (memory, base) => (/** @type {number} */ place, /** @type {readonly number[]} */ size) =>
  new Tensor(memory.read(Float64Array, base + place, size), [...size]);
