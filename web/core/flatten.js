import { refusals } from './errors.js';
import { countOf, exactCountOf } from './sizes.js';

/** The most axes a tensor has: batch, heads, length, width. */
export const deepest = 4;

/** Values a 32-bit WebAssembly memory could hold at all; a nested array can claim more by repeating one row. */
const mostValues = 2 ** 30;

/**
 * What the innermost arrays hold.
 * @typedef {object} Leaf
 * @property {'number' | 'boolean'} type
 * @property {(length: number) => Float64Array | Uint8Array} create
 * @property {(name: string, at: string, value: unknown) => Error} refuse
 */

/** The name of a typed array's class, from any realm; undefined for everything else. @param {unknown} value */
export function typedArrayName(value) {
  return ArrayBuffer.isView(value) && !(value instanceof DataView) ? Object.prototype.toString.call(value).slice(8, -1) : undefined;
}

/** A typed array of ordinary numbers (64-bit integers are bigints). @param {unknown} value @returns {value is Float32Array} */
export function isNumericView(value) {
  if (value instanceof Float32Array) return true; // what a hot loop passes, told quickly
  const name = typedArrayName(value);
  return name !== undefined && !name.startsWith('Big');
}

/** @param {unknown} value @returns {value is ArrayLike<unknown>} */
export const isList = (value) => Array.isArray(value) || isNumericView(value);

/**
 * Nested arrays, all of one length per level, into one row-major array and its shape.
 * @param {string} name
 * @param {ArrayLike<unknown>} value
 * @param {Leaf} leaf
 */
export function flatten(name, value, leaf) {
  const shape = shapeOfFirst(name, value);
  const count = countOf(shape);
  if (count > mostValues) throw refusals.tooLarge(name, mostValues * 4, String(exactCountOf(shape) * 4n), `${shape.join(' × ')} values`);
  const data = allocate(name, count, leaf);
  const last = shape.length - 1;

  /** @param {unknown} level @param {number} axis @param {number} offset */
  const fill = (level, axis, offset) => {
    if (!isList(level) || level.length !== shape[axis]) throw ragged(name, shape, axis, offset, level);
    if (axis < last) {
      const step = countOf(shape.slice(axis + 1));
      for (let i = 0; i < level.length; i++) fill(level[i], axis + 1, offset + i * step);
      return;
    }
    for (let i = 0; i < level.length; i++) {
      const item = level[i];
      if (typeof item !== leaf.type) throw leaf.refuse(name, position(shape, offset + i, shape.length), item);
      data[offset + i] = Number(item);
    }
  };
  fill(value, 0, 0);
  return { data, shape };
}

/** The shape, read along the first element of each level. @param {string} name @param {ArrayLike<unknown>} value */
function shapeOfFirst(name, value) {
  const shape = [];
  for (let /** @type {unknown} */ level = value; isList(level); level = level[0]) {
    if (shape.length === deepest) throw refusals.depth(name, deepest);
    shape.push(level.length);
    if (level.length === 0) break;
  }
  return shape;
}

/** @param {string} name @param {number} count @param {Leaf} leaf */
function allocate(name, count, leaf) {
  try {
    return leaf.create(count);
  } catch {
    throw refusals.outOfMemory(name, count * leaf.create(0).BYTES_PER_ELEMENT);
  }
}

/** @param {string} name @param {readonly number[]} shape @param {number} axis @param {number} offset @param {unknown} got */
function ragged(name, shape, axis, offset, got) {
  const at = axis === 0 ? 'the top' : position(shape, offset, axis);
  return isList(got)
    ? refusals.ragged(name, at, `${shape[axis]} values`, String(got.length))
    : refusals.element(name, at, `list of ${shape[axis]} values`, got);
}

/** The index of a flat offset as `[i][j]`, down to `levels` axes. @param {readonly number[]} shape @param {number} offset @param {number} levels */
export function position(shape, offset, levels) {
  let text = '';
  for (let axis = shape.length - 1, rest = offset; axis >= 0; axis--) {
    const index = rest % shape[axis];
    rest = (rest - index) / shape[axis];
    if (axis < levels) text = `[${index}]${text}`;
  }
  return text;
}
