// How many queries and keys a state means, and whether its parts fit together.

import { refusal } from '../../view/refusal.js';
import { MOST } from './schema.js';

/** @typedef {import('./schema.js').MaskState} MaskState */
/** @typedef {import('./rules.js').Size} Size */

/**
 * Counts that are left open follow from the values that have a length of their own; with none of these it is three tokens.
 * @param {MaskState} state
 * @returns {Size}
 */
export function sizeOf({ n, queries, keys, tokens, queryTokens, scores, values, allow, mask }) {
  const rows = typeof scores === 'string' ? null : scores;
  const shape = rows ?? (mask === 'own' ? allow : null);
  const tokenCount = n ?? keys ?? shape?.[0].length ?? tokens?.length ?? values?.length ?? 3;
  return { queries: queries ?? n ?? shape?.length ?? queryTokens?.length ?? tokenCount, keys: keys ?? tokenCount };
}

/**
 * Refuses a state whose lists do not have the lengths of its matrix.
 * @param {MaskState} state
 * @returns {Size}
 */
export function checkedSize(state) {
  const size = sizeOf(state);
  const { queries, keys } = size;
  const { tokens, queryTokens, values, scores, allow, edges, mask, length, replaced } = state;
  if (queries > MOST || keys > MOST) throw refusal('mask.tooMany', { max: MOST, queries, keys });
  if (tokens && tokens.length !== keys) throw refusal('mask.count', { name: 'tokens', expected: keys, got: tokens.length });
  if (queryTokens && queryTokens.length !== queries) throw refusal('mask.count', { name: 'query-tokens', expected: queries, got: queryTokens.length });
  if (values && values.length !== keys) throw refusal('mask.count', { name: 'values', expected: keys, got: values.length });
  for (const [name, rows] of Object.entries({ scores: typeof scores === 'string' ? null : scores, allow: mask === 'own' ? allow : null })) {
    if (rows && (rows.length !== queries || rows[0].length !== keys)) {
      throw refusal('mask.shape', { name, queries, keys, rows: rows.length, columns: rows[0].length });
    }
  }
  const far = edges?.flat().find((token) => token > keys);
  if (mask === 'graph' && far !== undefined) throw refusal('mask.beyond', { name: 'edges', keys, got: far });
  if (mask === 'padding' && length !== null && length > keys) throw refusal('mask.beyond', { name: 'length', keys, got: length });
  if (replaced !== null && replaced > keys) throw refusal('mask.beyond', { name: 'replaced', keys, got: replaced });
  return size;
}

/**
 * What changes when the reader asks for another number of tokens: lists and matrices keep what they have and grow by neutral values.
 * @param {MaskState} state @param {Size} to
 * @returns {Partial<MaskState>}
 */
export function resized(state, to) {
  const square = to.queries === to.keys;
  /** @template T @param {T[] | null} items @param {number} count @param {(at: number) => T} fill */
  const list = (items, count, fill) => items && Array.from({ length: count }, (_, at) => items[at] ?? fill(at));
  /** @template T @param {T[][] | null} rows @param {T} fill */
  const matrix = (rows, fill) => list(rows && rows.map((row) => /** @type {T[]} */ (list(row, to.keys, () => fill))), to.queries, () => Array(to.keys).fill(fill));
  const label = (/** @type {number} */ at) => String(at + 1);
  return {
    n: square ? to.keys : null,
    queries: square ? null : to.queries,
    keys: square ? null : to.keys,
    tokens: list(state.tokens, to.keys, label),
    queryTokens: list(state.queryTokens, to.queries, label),
    values: list(state.values, to.keys, (at) => at + 1),
    scores: typeof state.scores === 'string' ? state.scores : /** @type {number[][]} */ (matrix(state.scores, 0)),
    allow: matrix(state.allow, true),
    edges: state.edges && state.edges.filter((edge) => edge.every((token) => token <= to.keys)),
    length: state.length === null ? null : Math.min(state.length, to.keys),
    replaced: state.replaced !== null && state.replaced > to.keys ? null : state.replaced,
    row: Math.min(state.row, to.queries),
  };
}
