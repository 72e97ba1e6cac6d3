// The rows of the mask in sentences. Which sentence fits is decided here; the sentences themselves are in the locales.

import { formatFraction, formatNumber, formatPercents } from '../../view/format.js';
import { isolated } from '../../view/token.js';
import { isPaddedQuery, position } from './rules.js';
import { sizeOf } from './size.js';

/** @typedef {import('../../locales/index.js').Translate} Translate */
/** @typedef {import('./schema.js').MaskState} MaskState */
/** @typedef {import('./compute.js').MaskResult} MaskResult */
/** @typedef {{ state: MaskState, result: MaskResult, text: Translate }} Picture */

/**
 * The size of the matrices that are shown; before the first result, of those that will be.
 * @param {{ state: MaskState, result: MaskResult | null }} picture @returns {import('./rules.js').Size}
 */
export const shown = ({ state, result }) => (result ? { queries: result.allow.length, keys: result.allow[0].length } : sizeOf(state));

/**
 * A weight as it is written everywhere: a fraction where it is one, else three decimals.
 * @param {number} weight
 */
export const weightText = (weight) => formatFraction(weight) ?? formatNumber(weight);

/**
 * A query's token, if the queries have any: their own list, else the tail of the keys' list.
 * @param {MaskState} state @param {import('./rules.js').Size} size @param {number} row
 * @returns {string | undefined}
 */
export const queryToken = (state, size, row) => (state.queryTokens ? state.queryTokens[row] : state.tokens?.[position(row, size)]);

/** @param {Picture} picture @param {number} row */
export function queryName({ state, result, text }, row) {
  const token = queryToken(state, shown({ state, result }), row);
  return token === undefined ? text('mask.query', { at: row + 1 }) : text('mask.queryToken', { at: row + 1, token: isolated(token) });
}

/** @param {Picture} picture @param {number} column */
export function keyName({ state, text }, column) {
  const token = state.tokens?.[column];
  return token === undefined ? text('mask.key', { at: column + 1 }) : text('mask.keyToken', { at: column + 1, token: isolated(token) });
}

/** Keys a query may look at. @param {MaskResult} result @param {number} row */
export const visibleKeys = (result, row) => result.allow[row].flatMap((allowed, j) => (allowed ? [j] : []));

/**
 * Row `row` in words: whom the query may look at and how its weights fall.
 * @param {Picture} picture @param {number} row
 */
export function rowSentence(picture, row) {
  const { state, result, text } = picture;
  const query = queryName(picture, row);
  const Query = sentenceStart(query);
  const visible = visibleKeys(result, row);
  const tail = isPaddedQuery(state, shown(picture), row) ? text('mask.paddedRow') : '';
  if (visible.length === 0) return text('mask.rowEmpty', { query, Query }) + text(`mask.rowEmpty.${state.emptyRows}`) + tail;

  const weights = visible.map((j) => result.weights[row][j]);
  const keys = keysPhrase(picture, visible);
  if (!weights.every(Number.isFinite)) return text('mask.rowNotFinite', { query, Query, keys }) + tail;
  if (visible.length === 1) return text('mask.rowOne', { query, Query, keys, weight: weightText(weights[0]) }) + tail;
  if (weights.length > 2 && weights.every((weight) => weight === weights[0])) {
    return text('mask.rowEach', { query, Query, keys, weight: shares(weights)[0] }) + tail;
  }
  if (visible.length <= 4) return text('mask.rowList', { query, Query, keys, weights: list(text, shares(weights)) }) + tail;
  const most = weights.indexOf(Math.max(...weights));
  return text('mask.rowMost', { query, Query, keys, most: keyName(picture, visible[most]), weight: shares(weights)[most] }) + tail;
}

/** @param {string} name  at the start of a sentence */
export const sentenceStart = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** Weights of a whole row as fractions if all of them are, else as percents that add to what the row does. @param {number[]} weights */
function shares(weights) {
  const fractions = weights.map(formatFraction);
  return fractions.every((fraction) => fraction !== null) ? /** @type {string[]} */ (fractions) : formatPercents(weights);
}

/** @param {Picture} picture @param {number[]} columns */
function keysPhrase(picture, columns) {
  const { state, text } = picture;
  if (columns.length === 1) return keyName(picture, columns[0]);
  if (state.tokens && columns.length <= 4) return list(text, columns.map((j) => keyName(picture, j)));
  const [first, last] = [columns[0] + 1, columns[columns.length - 1] + 1];
  if (columns.length > 2 && last - first + 1 === columns.length) return text('mask.keysRange', { first, last });
  return text('mask.keys', { list: list(text, columns.map((j) => String(j + 1))) });
}

/** @param {Translate} text @param {string[]} items */
export function list(text, items) {
  if (items.length < 2) return items.join('');
  return items.slice(0, -1).join(text('mask.listComma')) + text('mask.listAnd') + items[items.length - 1];
}
