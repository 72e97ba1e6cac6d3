// Values that options have: each is checked here and comes back as what it is, or is refused by its name.
import { refusals } from './errors.js';
import { isList, requireAttached } from './lists.js';
import { reading } from './reading.js';
import { largestSize } from './sizes.js';

/** @param {string} name @param {string} expected @param {unknown} value @param {(value: number) => boolean} holds */
export function number(name, expected, value, holds) {
  if (typeof value !== 'number' || !holds(value)) throw refusals.number(name, expected, value);
  return value;
}

/** Queries or keys in a tile or block; beyond the largest size of an axis, more makes no difference. @param {string} name @param {unknown} value */
export function extent(name, value) {
  return Math.min(number(name, 'a whole number of at least 1', value, (size) => Number.isInteger(size) && size > 0), largestSize);
}

/** A function of the caller's. @param {string} name @param {unknown} value @returns {(...args: any[]) => unknown} */
export function callback(name, value) {
  if (typeof value !== 'function') throw refusals.callback(name, value);
  return /** @type {(...args: any[]) => unknown} */ (value);
}

/** Of any realm. @param {unknown} value @returns {AbortSignal} */
export function abortSignal(value) {
  const tag = reading('signal', () => Object.prototype.toString.call(value));
  if (tag !== '[object AbortSignal]') throw refusals.signal(value);
  return /** @type {AbortSignal} */ (value);
}

/** @param {string} name @param {unknown} value */
export function boolean(name, value) {
  if (typeof value !== 'boolean') throw refusals.boolean(name, value);
  return value;
}

/** The place of a word among the choices. @param {string} name @param {readonly string[]} choices @param {unknown} value */
export function choice(name, choices, value) {
  if (typeof value !== 'string' || !choices.includes(value)) throw refusals.choice(name, choices, value);
  return choices.indexOf(value);
}

/** A copy of a list, whose length is checked first: a copy of a much longer one takes forever. @param {string} name @param {string} expected @param {unknown} value @param {number} length */
export function list(name, expected, value, length) {
  if (!isList(value)) throw refusals.listOf(name, expected, value);
  return reading(name, () => {
    requireAttached(name, value);
    if (value.length !== length) throw refusals.listLength(name, expected, `${value.length} of them`);
    return Array.from({ length }, (_, i) => value[i]);
  });
}

/** @param {string} name @param {string} expected @param {unknown} value */
export function pair(name, expected, value) {
  return list(name, expected, value, 2).map((item, i) => extent(`${name}[${i}]`, item));
}
