// The state of attn-mask, field by field. What belongs together (as many tokens as keys, …) is checked in size.js.

import { refusal } from '../../view/refusal.js';
import { readRows, show } from '../attribute-text.js';
import { choiceField, flagField, numberField, textsField, vectorField } from '../fields.js';
import { PRESETS } from './rules.js';

/** More tokens than this would leave cells too small to read or to press. */
export const MOST = 12;

/** @typedef {'signs' | 'allow' | 'drop'} Notation  how the mask is written: as what is added to the scores, or as booleans of either polarity */

/**
 * @typedef {object} MaskState
 * @property {number | null} n  tokens; null: as many as the other values imply
 * @property {number | null} queries @property {number | null} keys  where they differ from n
 * @property {import('./rules.js').Preset} mask
 * @property {boolean} causal  the causal rule on top of the mask
 * @property {number} window @property {number} block
 * @property {number | null} length  real keys under the padding mask; null: all but one
 * @property {import('./rules.js').Edge[] | null} edges @property {boolean[][] | null} allow
 * @property {import('./inputs.js').Scores} scores @property {number} seed @property {number[] | null} values
 * @property {string[] | null} tokens @property {string[] | null} queryTokens
 * @property {'zero' | 'nan' | 'uniform'} emptyRows
 * @property {Notation} notation
 * @property {boolean} compare  shows zeroing after the softmax too
 * @property {number | null} replaced  the token whose content is another one
 * @property {number} row  the query the stepper is at, from 1
 */

/** @type {import('../fields.js').Schema} */
export const schema = {
  n: optional(numberField({ attribute: 'n', default: 3, min: 1, max: MOST, integer: true })),
  queries: optional(numberField({ attribute: 'queries', default: 3, min: 1, max: MOST, integer: true })),
  keys: optional(numberField({ attribute: 'keys', default: 3, min: 1, max: MOST, integer: true })),
  mask: choiceField({ attribute: 'mask', default: 'causal', choices: PRESETS }),
  causal: flagField({ attribute: 'causal', default: false }),
  window: numberField({ attribute: 'window', default: 2, min: 1, max: MOST, integer: true }),
  block: numberField({ attribute: 'block', default: 2, min: 1, max: MOST, integer: true }),
  length: optional(numberField({ attribute: 'length', default: 2, min: 0, max: MOST, integer: true })),
  edges: edgesField({ attribute: 'edges', default: null }),
  allow: allowField({ attribute: 'allow', default: null }),
  scores: scoresField({ attribute: 'scores', default: 'zero' }),
  seed: numberField({ attribute: 'seed', default: 1, min: 0, max: 4294967295, integer: true }),
  values: optional(vectorField({ attribute: 'values', default: [] })),
  tokens: textsField({ attribute: 'tokens', default: null }),
  queryTokens: textsField({ attribute: 'query-tokens', default: null }),
  emptyRows: choiceField({ attribute: 'empty-rows', default: 'zero', choices: ['zero', 'nan', 'uniform'] }),
  notation: choiceField({ attribute: 'notation', default: 'signs', choices: ['signs', 'allow', 'drop'] }),
  compare: flagField({ attribute: 'compare', default: false }),
  replaced: optional(numberField({ attribute: 'replaced', default: 1, min: 1, max: MOST, integer: true })),
  row: numberField({ attribute: 'row', default: 1, min: 1, max: MOST, integer: true }),
};

/**
 * A field that may be left open: null stands for what the other values imply.
 * @template T
 * @param {import('../fields.js').Field<T>} field
 * @returns {import('../fields.js').Field<T | null>}
 */
function optional(field) {
  return {
    ...field,
    default: null,
    fromValue: (value, name) => (value === null ? null : field.fromValue(value, name)),
    toText: (value) => (value === null ? null : field.toText(value)),
  };
}

/**
 * Undirected edges between tokens: `1-2, 2-3`, or pairs in JSON.
 * @param {{ attribute: string, default: null }} options
 * @returns {import('../fields.js').Field<import('./rules.js').Edge[] | null>}
 */
function edgesField(options) {
  /** @param {unknown} value @param {string} name */
  const fromValue = (value, name) => {
    if (value === null) return null;
    if (!Array.isArray(value) || !value.every(isEdge)) throw refusal('mask.expectedEdges', { name, got: show(value), max: MOST });
    return value.map(([a, b]) => /** @type {import('./rules.js').Edge} */ ([a, b]));
  };
  return {
    ...options,
    fromValue,
    fromText: (text, name) => {
      const rows = text.trim() === '' ? [] : text.split(/[,;]/).map((edge) => edge.split('-').map((end) => (/^\s*\d+\s*$/.test(end) ? Number(end) : NaN)));
      if (!rows.every(isEdge)) throw refusal('mask.expectedEdges', { name, got: show(text), max: MOST });
      return fromValue(rows, name);
    },
    toText: (value) => value && value.map((edge) => edge.join('-')).join(','),
  };
}

/** @param {unknown} value */
function isEdge(value) {
  return Array.isArray(value) && value.length === 2 && value.every((token) => Number.isInteger(token) && token >= 1 && token <= MOST);
}

/**
 * A mask cell by cell, true where a query may look: rows of 1 and 0, or booleans in JSON.
 * @param {{ attribute: string, default: null }} options
 * @returns {import('../fields.js').Field<boolean[][] | null>}
 */
function allowField(options) {
  /** @param {unknown} value @param {string} name */
  const fromValue = (value, name) => {
    if (value === null) return null;
    const rows = Array.isArray(value) && value.length > 0 ? value : [null];
    const isRow = (/** @type {unknown} */ row) => Array.isArray(row) && row.length > 0 && row.length === rows[0].length && row.every((cell) => typeof cell === 'boolean');
    if (!rows.every(isRow)) throw refusal('mask.expectedAllow', { name, got: show(value) });
    return rows.map((row) => [...row]);
  };
  return {
    ...options,
    fromValue,
    fromText: (text, name) => {
      const rows = text.trim().startsWith('[') ? text.replace(/\b1\b/g, 'true').replace(/\b0\b/g, 'false') : bits(text);
      try {
        return fromValue(JSON.parse(rows), name);
      } catch {
        throw refusal('mask.expectedAllow', { name, got: show(text) });
      }
    },
    toText: (value) => value && value.map((row) => row.map(Number).join('')).join('; '),
  };
}

/**
 * `100; 110; 111` as JSON.
 * @param {string} text
 */
function bits(text) {
  const rows = text.replace(/[\s,]/g, '').split(';');
  return `[${rows.map((row) => `[${[...row].map((bit) => ({ 0: 'false', 1: 'true' })[bit] ?? bit).join(',')}]`).join(',')}]`;
}

/**
 * @param {{ attribute: string, default: 'zero' }} options
 * @returns {import('../fields.js').Field<import('./inputs.js').Scores>}
 */
function scoresField(options) {
  /** @param {unknown} value @param {string} name @returns {import('./inputs.js').Scores} */
  const fromValue = (value, name) => {
    if (value === 'zero' || value === 'random') return value;
    const rows = Array.isArray(value) && value.length > 0 ? value : [null];
    const isRow = (/** @type {unknown} */ row) => Array.isArray(row) && row.length > 0 && row.length === rows[0].length && row.every((cell) => Number.isFinite(cell));
    if (!rows.every(isRow)) throw refusal('mask.expectedScores', { name, got: show(value) });
    return rows.map((row) => [...row]);
  };
  return {
    ...options,
    fromValue,
    fromText: (text, name) => fromValue(/^\s*(zero|random)\s*$/.test(text) ? text.trim() : /^[\s[\d.+-]/.test(text) ? readRows(text, name) : text, name),
    toText: (value) => (typeof value === 'string' ? value : value.map((row) => row.join(',')).join('; ')),
  };
}
