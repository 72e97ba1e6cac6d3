import { refusals } from './errors.js';
import { isPositiveSize, isSize, largestSize } from './sizes.js';

/** The size of an axis, given by itself; it may be 0. @param {string} name @param {unknown} value */
export function readSize(name, value) {
  if (!isSize(value)) throw refusals.size(name, largestSize, value);
  return value + 0; // no −0
}

/** A number of heads or the like, given by itself; at least 1. @param {string} name @param {unknown} value */
export function readCount(name, value) {
  if (!isPositiveSize(value)) throw refusals.number(name, `a whole number from 1 to ${largestSize}`, value);
  return value;
}
