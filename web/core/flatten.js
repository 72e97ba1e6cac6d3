import { refusals } from './errors.js';
import { isList, requireAttached } from './lists.js';
import { countOf, exactCountOf, memoryLimit } from './sizes.js';

/** The most axes a tensor has: batch, heads, length, width. */
export const deepest = 4;

/**
 * What the innermost arrays hold.
 * @typedef {object} Leaf
 * @property {'number' | 'boolean'} type
 * @property {(length: number) => Float64Array | Uint8Array} create
 * @property {number} bytes that a value takes in the module's memory, at least
 * @property {(name: string, at: string, value: unknown) => Error} refuse
 */

/**
 * Nested arrays, all of one length per level, into one row-major array and its shape. The shape is judged before anything
 * is copied: a sparse array, or one row repeated, can claim more values than there is memory for.
 * @param {string} name
 * @param {ArrayLike<unknown>} value
 * @param {Leaf} leaf
 * @param {(shape: readonly number[]) => void} judge throws if the call cannot take this shape
 */
export function flatten(name, value, leaf, judge) {
  const shape = shapeOfFirst(name, value);
  judge(shape);
  const data = roomFor(name, shape, leaf);
  const last = shape.length - 1;

  /** @param {unknown} level @param {number} axis @param {number} offset */
  const fill = (level, axis, offset) => {
    const length = shape[axis];
    if (!isList(level) || level.length !== length) throw ragged(name, shape, axis, offset, level);
    if (axis < last) {
      const step = countOf(shape.slice(axis + 1));
      for (let i = 0; i < length; i++) fill(level[i], axis + 1, offset + i * step);
      return;
    }
    for (let i = 0; i < length; i++) {
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
    requireAttached(name, level);
    shape.push(level.length);
    if (level.length === 0) break;
  }
  return shape;
}

/** Room for a copy, if the module could take it at all. @param {string} name @param {readonly number[]} shape @param {Leaf} leaf */
export function roomFor(name, shape, leaf) {
  const count = countOf(shape);
  if (count * leaf.bytes > memoryLimit) {
    throw refusals.tooLarge(name, memoryLimit, String(exactCountOf(shape) * BigInt(leaf.bytes)), `${shape.join(' × ')} values`);
  }
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
