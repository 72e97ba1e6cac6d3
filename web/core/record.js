import { refusals } from './errors.js';
import { isList } from './lists.js';
import { reading } from './reading.js';

/**
 * The own properties of a plain object, each read once, if it has no others than the known ones. Options that an object
 * inherits, or that a Map or a Promise holds, would be ignored without a word: such objects are refused.
 * @param {string} name @param {unknown} value @param {readonly string[]} known
 * @returns {Record<string, unknown>} without a prototype, from which an option could seem to come
 */
export function record(name, value, known) {
  if (typeof value !== 'object' || value === null || isList(value)) throw refusals.options(name, value);
  if (!isPlain(value)) throw refusals.plain(name, value);
  return reading(name, () => {
    const own = Object.create(null);
    for (const key of Object.getOwnPropertyNames(value)) {
      if (!known.includes(key)) throw refusals.unknown(name, key, known);
      own[key] = /** @type {Record<string, unknown>} */ (value)[key];
    }
    return own;
  });
}

/** Whether the prototype is null or the Object.prototype of any realm. @param {object} value */
function isPlain(value) {
  try {
    const prototype = Object.getPrototypeOf(value);
    return prototype === null || (Object.getPrototypeOf(prototype) === null && Object.prototype.hasOwnProperty.call(prototype, 'isPrototypeOf'));
  } catch {
    return false; // a revoked proxy, or one whose traps throw
  }
}
