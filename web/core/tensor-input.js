import { refusals } from './errors.js';
import { deepest, flatten, position, roomFor } from './flatten.js';
import { isList, isNumericView, lengthOf, requireAttached } from './lists.js';
import { reading } from './reading.js';
import { countOf, exactCountOf, isSize, largestSize } from './sizes.js';

/**
 * Numbers given to the engine: nested arrays (`[[1, 0]]`), or `{ data, shape }` with an array, any typed array, or a
 * view of a larger or shared buffer. Row-major; rank 2 `[length, width]`, rank 3 `[heads, length, width]`, rank 4
 * `[batch, heads, length, width]`. Never modified. A typed array is read as it is; nested arrays are slower.
 *
 * @typedef {readonly number[] | readonly (readonly number[])[] | readonly (readonly (readonly number[])[])[] | readonly (readonly (readonly (readonly number[])[])[])[]} NestedNumbers
 * @typedef {Float32Array | Float64Array | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array} NumericArray
 * @typedef {{ readonly data: NumericArray | readonly number[], readonly shape: readonly number[] }} FlatNumbers
 * @typedef {NestedNumbers | FlatNumbers | readonly NumericArray[]} TensorInput
 */

/**
 * A validated tensor, its values not yet copied.
 * @typedef {{ data: Float32Array | Float64Array, shape: number[] }} View
 */

/** @type {import('./flatten.js').Leaf} */
export const numbers = {
  type: 'number',
  create: (length) => new Float64Array(length),
  bytes: 4,
  refuse: (name, at, value) => refusals.element(name, at, 'number', value),
};

/**
 * @param {string} name the argument, for error sentences
 * @param {unknown} value
 * @param {(shape: readonly number[]) => void} judge throws if the call cannot take this shape, before anything is copied
 * @param {readonly string[]} axes the names of the axes at full rank, outermost first, for error sentences
 * @returns {View}
 */
export function readTensor(name, value, judge = anyShape, axes = []) {
  return reading(name, () => {
    if (isList(value)) return /** @type {View} */ (flatten(name, value, numbers, judge));
    if (typeof value !== 'object' || value === null || !('data' in value && 'shape' in value)) throw refusals.tensor(name, value);
    if ('dtype' in value && value.dtype === 'bool') throw refusals.booleanTensor(name);
    const shape = readShape(name, value.shape);
    judge(shape);
    return { data: readData(name, value.data, shape, axes), shape };
  });
}

/** The judge of an argument that may have any shape. */
export const anyShape = () => {};

/** The judge of an argument that has one of these ranks. @param {string} name @param {readonly number[]} ranks @returns {(shape: readonly number[]) => void} */
export const ofRank = (name, ranks) => (shape) => {
  if (!ranks.includes(shape.length)) throw refusals.rank(name, ranks, shape);
};

/** @param {string} name @param {unknown} given */
export function readShape(name, given) {
  if (!isList(given)) throw refusals.shape(name, given);
  const { length } = given;
  if (length > deepest) throw refusals.axes(name, deepest, length);
  const shape = [];
  for (let axis = 0; axis < length; axis++) {
    const size = given[axis];
    if (!isSize(size)) throw refusals.size(`${name}.shape[${axis}]`, largestSize, size);
    shape.push(size + 0); // no −0
  }
  return shape;
}

/** @param {string} name @param {unknown} data @param {readonly number[]} shape @param {readonly string[]} axes */
function readData(name, data, shape, axes) {
  if (!isList(data)) throw refusals.data(name, data);
  requireCount(name, data, shape, axes);
  if (isNumericView(data)) return data;
  const copy = /** @type {Float64Array} */ (roomFor(name, shape, numbers));
  for (let i = 0; i < copy.length; i++) {
    const item = data[i];
    if (typeof item !== 'number') throw numbers.refuse(`${name}.data`, position([copy.length], i, 1), item);
    copy[i] = item;
  }
  return copy;
}

/**
 * That there are as many values as the shape says.
 * @param {string} name
 * @param {ArrayLike<unknown>} data
 * @param {readonly number[]} shape
 * @param {readonly string[]} [axes]
 */
export function requireCount(name, data, shape, axes = []) {
  requireAttached(name, data);
  const length = lengthOf(data);
  if (length === countOf(shape)) return;
  const labels = axes.slice(axes.length - shape.length);
  const factors = shape.map((size, axis) => (labels[axis] ? `${labels[axis]} ${size}` : String(size)));
  throw refusals.count(name, `${exactCountOf(shape)} values (${factors.join(' × ')})`, length);
}
