import { refusals } from './errors.js';

/** A getter that all typed arrays share. @param {string | symbol} key */
const sharedGetter = (key) => /** @type {() => any} */ (Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), key)?.get);

const tagOfView = sharedGetter(Symbol.toStringTag);
const lengthOfView = sharedGetter('length');

/** The name of a typed array's class, from any realm and whatever it says of itself; undefined for everything else. @param {unknown} value @returns {string | undefined} */
export const typedArrayName = (value) => tagOfView.call(value);

/** A typed array of ordinary numbers (64-bit integers are bigints). @param {unknown} value @returns {value is Float32Array} */
export function isNumericView(value) {
  if (value instanceof Float32Array) return true; // what a hot loop passes, told quickly
  const name = typedArrayName(value);
  return name !== undefined && !name.startsWith('Big');
}

/** @param {unknown} value @returns {value is ArrayLike<unknown>} */
export function isList(value) {
  try {
    return Array.isArray(value) || isNumericView(value);
  } catch {
    return false; // a revoked proxy
  }
}

/**
 * How many values a list has. Of a typed array it is the true number: a subclass can have another `length`, which would
 * take the copy beyond its room, or run code in the middle of a call.
 * @param {ArrayLike<unknown>} list
 */
export const lengthOf = (list) => (isNumericView(list) ? lengthOfView.call(list) : list.length);

/** That a list is no view of a buffer that was transferred away. @param {string} name @param {ArrayLike<unknown>} list */
export function requireAttached(name, list) {
  if (isNumericView(list) && lengthOf(list) === 0 && isDetached(list.buffer)) throw refusals.detached(name);
}

/** @param {ArrayBufferLike} buffer */
export function isDetached(buffer) {
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true; // a view of a detached buffer cannot be made; asking `detached` is newer than the target browsers
  }
}
