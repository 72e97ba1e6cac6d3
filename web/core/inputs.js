import { refusals } from './errors.js';
import { ofRank, readTensor } from './tensor-input.js';

/** @typedef {import('./tensor-input.js').View} View */

/**
 * The sizes of one call, in the words of the C++ core.
 * @typedef {object} CallShape
 * @property {number} batch
 * @property {number} queryHeads
 * @property {number} kvHeads
 * @property {number} queries
 * @property {number} keys
 * @property {number} queryDim
 * @property {number} keyDim
 * @property {number} valueDim
 */

const ranks = [2, 3, 4];
/** The names of the axes, for error sentences. */
export const axes = {
  q: ['batch', 'heads', 'queries', 'headDim'],
  k: ['batch', 'heads', 'keys', 'headDim'],
  v: ['batch', 'heads', 'keys', 'valueDim'],
};

/**
 * Queries and keys that fit each other.
 * @param {unknown} q
 * @param {unknown} k
 * @param {boolean} [anyWidths] whether their widths are for the options to judge
 */
export function readQueriesAndKeys(q, k, anyWidths = false) {
  const query = readTensor('q', q, ofSomeRank('q'), axes.q);
  const key = readTensor('k', k, ofSomeRank('k'), axes.k);
  borrowWidth('q', query, key);
  borrowWidth('k', key, query);
  requireSameRank('k', key, query);
  const shape = {
    batch: fromEnd(query, 4),
    queryHeads: fromEnd(query, 3),
    kvHeads: fromEnd(key, 3),
    queries: fromEnd(query, 2),
    keys: fromEnd(key, 2),
    queryDim: fromEnd(query, 1),
    keyDim: fromEnd(key, 1),
    valueDim: 1,
  };
  requireWidth('q', query);
  requireWidth('k', key);
  if (!anyWidths) requireSameWidth(shape);
  requireSame('k', 'batch', key, query, 4, 'q');
  const { queryHeads, kvHeads } = shape;
  if (queryHeads === 0 || kvHeads === 0 || queryHeads % kvHeads !== 0) throw refusals.headGroups(queryHeads, kvHeads);
  return { query, key, shape };
}

/**
 * Queries, keys and values that fit each other. Query head h reads key/value head ⌊h·Hk/Hq⌋.
 * @param {unknown} q
 * @param {unknown} k
 * @param {unknown} v
 * @param {boolean} [anyWidths] as for queries and keys alone
 */
export function readInputs(q, k, v, anyWidths = false) {
  const { query, key, shape } = readQueriesAndKeys(q, k, anyWidths);
  const value = readTensor('v', v, ofSomeRank('v'), axes.v);
  borrowWidth('v', value, key);
  requireSameRank('v', value, query);
  requireWidth('v', value);
  requireSame('v', 'number of keys', value, key, 2, 'k');
  requireSame('v', 'heads', value, key, 3, 'k');
  requireSame('v', 'batch', value, key, 4, 'k');
  return { query, key, value, shape: { ...shape, valueDim: fromEnd(value, 1) } };
}

/** Throws unless queries are as wide as keys. @param {CallShape} shape */
export function requireSameWidth({ queryDim, keyDim }) {
  if (queryDim !== keyDim) throw refusals.sameSize('k', 'width', queryDim, 'q', keyDim);
}

/** The axes of the input that precede queries and keys: none, [heads] or [batch, heads]. @param {View} query */
export const leadingAxes = (query) => query.shape.slice(0, -2);

/** The size of an axis counted from the last; an absent batch or heads axis is one of size 1. @param {View} view @param {number} place */
export const fromEnd = ({ shape }, place) => (shape.length >= place ? shape[shape.length - place] : 1);

/** @param {readonly number[]} shape */
export const isEmptyList = (shape) => shape.length === 1 && shape[0] === 0;

/** Batch and heads may be absent; an empty list gets its rank from its partner. @param {string} name @returns {(shape: readonly number[]) => void} */
export const ofSomeRank = (name) => (shape) => {
  if (!isEmptyList(shape)) ofRank(name, ranks)(shape);
};

/**
 * An empty list says nothing about its width: `[]` for k means no keys, as wide as q.
 * @param {string} name @param {View} view @param {View} partner
 */
function borrowWidth(name, view, partner) {
  if (!isEmptyList(view.shape)) return;
  if (partner.shape.length !== 2) throw refusals.emptyList(name);
  view.shape = [0, partner.shape[1]];
}

/** @param {string} name @param {View} view @param {View} query */
function requireSameRank(name, view, query) {
  if (view.shape.length !== query.shape.length) throw refusals.sameRank(name, query.shape.length, 'q', view.shape.length);
}

/** @param {string} name @param {View} view */
function requireWidth(name, view) {
  if (fromEnd(view, 1) === 0) throw refusals.width(name, view.shape);
}

/** @param {string} name @param {string} axis @param {View} view @param {View} other @param {number} place @param {string} like */
function requireSame(name, axis, view, other, place, like) {
  const expected = fromEnd(other, place);
  const got = fromEnd(view, place);
  if (got !== expected) throw refusals.sameSize(name, axis, expected, like, got);
}
