import { refusals } from './errors.js';
import { flatten } from './flatten.js';
import { isList, isNumericView, typedArrayName } from './lists.js';
import { reading } from './reading.js';
import { anyShape, readShape, requireCount } from './tensor-input.js';

/**
 * Booleans given to the engine, true = may attend: nested arrays of booleans, `{ data, shape }` with an array of
 * booleans, or with a Uint8Array and `dtype: 'bool'` (not 0 = true), which is what `engine.mask` returns.
 *
 * @typedef {readonly boolean[] | readonly (readonly boolean[])[] | readonly (readonly (readonly boolean[])[])[] | readonly (readonly (readonly (readonly boolean[])[])[])[]} NestedBooleans
 * @typedef {{ readonly data: readonly boolean[], readonly shape: readonly number[] } | { readonly data: Uint8Array, readonly shape: readonly number[], readonly dtype: 'bool' }} FlatBooleans
 * @typedef {NestedBooleans | FlatBooleans} BooleanInput
 */

/** @typedef {{ data: Uint8Array, shape: number[] }} BooleanView */

/** @type {import('./flatten.js').Leaf} */
const booleans = {
  type: 'boolean',
  create: (length) => new Uint8Array(length),
  bytes: 1,
  refuse: (name, at, value) =>
    typeof value === 'number' ? refusals.numericMask(name) : refusals.element(name, at, 'boolean', value),
};

/**
 * Numbers are refused here, not read as 0 = false: elsewhere a numeric mask is added to the scores, and mistaking one
 * for the other hides nothing at all (0 and 1) or everything (0 and −∞).
 * @param {string} name
 * @param {unknown} value
 * @param {(shape: readonly number[]) => void} [judge] throws if the call cannot take this shape, before anything is copied
 * @returns {BooleanView}
 */
export const readBooleans = (name, value, judge = anyShape) => reading(name, () => readAny(name, value, judge));

/**
 * @param {string} name
 * @param {unknown} value
 * @param {(shape: readonly number[]) => void} judge
 * @returns {BooleanView}
 */
function readAny(name, value, judge) {
  if (isNumericView(value)) throw refusals.numericMask(name);
  if (isList(value)) return /** @type {BooleanView} */ (flatten(name, value, booleans, judge));
  if (typeof value !== 'object' || value === null || !('data' in value && 'shape' in value)) throw refusals.booleans(name, value);
  const shape = readShape(name, value.shape);
  judge(shape);
  const { data } = value;
  if (isNumericView(data)) {
    if (typedArrayName(data) !== 'Uint8Array' || !('dtype' in value) || value.dtype !== 'bool') throw refusals.numericMask(name);
    requireCount(name, data, shape);
    return { data: /** @type {Uint8Array} */ (/** @type {unknown} */ (data)), shape };
  }
  if (!isList(data)) throw refusals.booleans(`${name}.data`, data);
  requireCount(name, data, shape);
  const flat = flatten(`${name}.data`, data, booleans, (nested) => {
    if (nested.length !== 1) throw booleans.refuse(`${name}.data`, '[0]', data[0]);
  });
  return { data: /** @type {Uint8Array} */ (flat.data), shape };
}
