import { refusals } from './errors.js';
import { axes, fromEnd, isEmptyList, ofSomeRank } from './inputs.js';
import { countOf } from './sizes.js';
import { readTensor } from './tensor-input.js';

/** @typedef {import('./tensor-input.js').View} View */
/** @typedef {{ batch: number, kvHeads: number, keyDim: number, valueDim: number }} CacheShape */

/** The largest half, and where rounding to it begins to give Infinity. */
const roundsToInfinity = 65520;

/**
 * Keys and values that fit a cache: of rank 2 for one batch entry and one head, 3 for one batch entry, or 4.
 * @param {unknown} k @param {unknown} v @param {CacheShape} cache @param {boolean} half
 */
export function readKeysAndValues(k, v, { batch, kvHeads, keyDim, valueDim }, half) {
  const key = readFitting('k', k, [batch, kvHeads, undefined, keyDim]);
  const value = readFitting('v', v, [batch, kvHeads, undefined, valueDim]);
  const count = fromEnd(key, 2);
  if (value.shape.length !== key.shape.length) throw refusals.sameRank('v', key.shape.length, 'k', value.shape.length);
  if (fromEnd(value, 2) !== count) throw refusals.sameSize('v', 'number of keys', count, 'k', fromEnd(value, 2));
  if (half) {
    requireHalves('k', key);
    requireHalves('v', value);
  }
  return { key, value, count };
}

/** Queries that fit a cache. @param {unknown} q @param {CacheShape} cache */
export function readQueries(q, { batch, kvHeads, keyDim }) {
  const query = readFitting('q', q, [batch, undefined, undefined, keyDim]);
  const queryHeads = fromEnd(query, 3);
  if (queryHeads === 0 || queryHeads % kvHeads !== 0) throw refusals.cacheHeads(kvHeads, queryHeads);
  return { query, queryHeads, queries: fromEnd(query, 2) };
}

/**
 * @param {'q' | 'k' | 'v'} name @param {unknown} input
 * @param {readonly (number | undefined)[]} sizes of batch, heads, length and width; undefined: any
 */
function readFitting(name, input, sizes) {
  const view = readTensor(name, input, ofSomeRank(name), axes[name]);
  // An empty list says nothing about its width.
  if (isEmptyList(view.shape)) view.shape = [0, Number(sizes[3])];
  for (const [axis, label] of /** @type {const} */ ([[3, 'width'], [0, 'batch'], [1, 'heads']])) {
    const size = sizes[axis];
    const got = fromEnd(view, 4 - axis);
    if (size !== undefined && got !== size) throw refusals.sameSize(name, label, size, 'the cache', got);
  }
  return view;
}

/** That no number would become Infinity. @param {string} name @param {View} view */
function requireHalves(name, { data, shape }) {
  const count = countOf(shape);
  for (let i = 0; i < count; i++) {
    const x = data[i];
    if (Math.abs(x) >= roundsToInfinity && Math.abs(x) !== Infinity) throw refusals.beyondHalf(name, x);
  }
}
