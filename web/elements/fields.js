// The kinds of values an element's state is made of. One field says how a value is read from an attribute and from
// a property or JSON, and how it is written back as an attribute. Reading refuses with a sentence and never guesses.

import { refusal } from '../view/refusal.js';
import { readFlags, readRows, readVector, show } from './attribute-text.js';

/**
 * @template T
 * @typedef {object} Field
 * @property {string} [attribute]  none: the value is set by property or JSON only
 * @property {(text: string, name: string) => T} fromText  reads an attribute
 * @property {(value: unknown, name: string) => T} fromValue  reads a property or JSON; returns a copy
 * @property {(value: T) => string | null} toText  writes the attribute; null leaves it out
 * @property {T} default
 */

/** @typedef {Record<string, Field<any>>} Schema */

/**
 * @param {{ attribute?: string, default: number[], width?: number, limit?: number }} options  limit: of each number's size
 * @returns {Field<number[]>}
 */
export function vectorField(options) {
  const { width, limit } = options;
  /** @param {unknown} value @param {string} name */
  const fromValue = (value, name) => {
    if (!isNumbers(value)) throw refusal('common.expectedList', { name, got: show(value) });
    if (width !== undefined && value.length !== width) throw refusal('common.expectedVector', { name, width, got: value.length });
    checkLimit(value, limit, name);
    return [...value];
  };
  return { ...options, fromValue, fromText: (text, name) => fromValue(readVector(text, name), name), toText: (value) => value.join(',') };
}

/**
 * @param {{ attribute?: string, default: number[][], width?: number, min?: number, max?: number, limit?: number }} options  min, max: count of rows
 * @returns {Field<number[][]>}
 */
export function rowsField(options) {
  const { width, min = 0, max = 4096, limit } = options;
  /** @param {unknown} value @param {string} name */
  const fromValue = (value, name) => {
    if (!Array.isArray(value) || !value.every(isNumbers)) throw refusal('common.expectedRows', { name, got: show(value) });
    if (value.length < min || value.length > max) throw refusal('common.expectedRowCount', { name, min, max, got: value.length });
    const columns = width ?? value[0]?.length ?? 0;
    const odd = value.findIndex((row) => row.length !== columns);
    if (odd >= 0) throw refusal('common.expectedRowWidth', { name, width: columns, got: value[odd].length, row: odd + 1 });
    checkLimit(value.flat(), limit, name);
    return value.map((row) => [...row]);
  };
  return {
    ...options,
    fromValue,
    fromText: (text, name) => fromValue(readRows(text, name), name),
    toText: (value) => value.map((row) => row.join(',')).join('; '),
  };
}

/**
 * @param {{ attribute?: string, default: number, min?: number, max?: number, integer?: boolean }} options
 * @returns {Field<number>}
 */
export function numberField(options) {
  const { min = -Infinity, max = Infinity, integer = false } = options;
  /** @param {unknown} value @param {string} name */
  const fromValue = (value, name) => {
    const bounds = { name, min, max, got: show(value) };
    if (typeof value !== 'number' || !Number.isFinite(value)) throw refusal('common.expectedNumber', bounds);
    if (integer && (!Number.isInteger(value) || value < min || value > max)) throw refusal('common.expectedInteger', bounds);
    if (value < min || value > max) throw refusal('common.expectedRange', bounds);
    return value;
  };
  return {
    ...options,
    fromValue,
    fromText: (text, name) => {
      const numbers = readVector(text, name);
      if (numbers.length !== 1) throw refusal('common.expectedNumber', { name, got: show(text) });
      return fromValue(numbers[0], name);
    },
    toText: String,
  };
}

/**
 * @param {{ attribute?: string, default: string, choices: readonly string[] }} options
 * @returns {Field<string>}
 */
export function choiceField(options) {
  /** @param {unknown} value @param {string} name */
  const fromValue = (value, name) => {
    if (!options.choices.includes(/** @type {string} */ (value))) {
      throw refusal('common.expectedChoice', { name, choices: quoted(options.choices), got: show(value) });
    }
    return /** @type {string} */ (value);
  };
  return { ...options, fromValue, fromText: (text, name) => fromValue(text.trim(), name), toText: (value) => value };
}

/**
 * A boolean attribute: there or not. `name="false"` is false too, since that is what frameworks write.
 * @param {{ attribute?: string, default: boolean }} options
 * @returns {Field<boolean>}
 */
export function flagField(options) {
  return {
    ...options,
    fromValue: (value, name) => {
      if (typeof value !== 'boolean') throw refusal('common.expectedFlag', { name, got: show(value) });
      return value;
    },
    fromText: (text, name) => {
      if (!['', 'true', 'false', options.attribute].includes(text)) throw refusal('common.expectedFlag', { name, got: show(text) });
      return text !== 'false';
    },
    toText: (value) => (value === options.default ? null : value ? '' : 'false'),
  };
}

/**
 * A list of booleans, or null for "all true". As everywhere, true means "may be attended".
 * @param {{ attribute?: string, default: boolean[] | null }} options
 * @returns {Field<boolean[] | null>}
 */
export function flagsField(options) {
  /** @param {unknown} value @param {string} name */
  const fromValue = (value, name) => {
    if (value === null) return null;
    if (!Array.isArray(value) || !value.every((flag) => typeof flag === 'boolean')) throw refusal('common.expectedFlags', { name, got: show(value) });
    return [...value];
  };
  return {
    ...options,
    fromValue,
    fromText: (text, name) => fromValue(readFlags(text, name), name),
    toText: (value) => value && value.map(Number).join(','),
  };
}

/**
 * A list of texts such as tokens, taken as given: a JSON array, or texts with commas between them.
 * @param {{ attribute?: string, default: string[] | null }} options
 * @returns {Field<string[] | null>}
 */
export function textsField(options) {
  /** @param {unknown} value @param {string} name */
  const fromValue = (value, name) => {
    if (value === null) return null;
    if (!Array.isArray(value) || !value.every((text) => typeof text === 'string')) throw refusal('common.expectedTexts', { name, got: show(value) });
    return [...value];
  };
  return {
    ...options,
    fromValue,
    fromText: (text, name) => {
      if (!text.trimStart().startsWith('[')) return text.split(',');
      try {
        return fromValue(JSON.parse(text), name);
      } catch {
        throw refusal('common.expectedTexts', { name, got: show(text) });
      }
    },
    toText: (value) => value && JSON.stringify(value),
  };
}

/**
 * Some of a few words, null for "not said". `none` means an empty list.
 * @param {{ attribute?: string, default: string[] | null, choices: readonly string[] }} options
 * @returns {Field<string[] | null>}
 */
export function wordsField(options) {
  /** @param {unknown} value @param {string} name */
  const fromValue = (value, name) => {
    if (value === null) return null;
    if (typeof value === 'string') return fromText(value, name);
    const odd = Array.isArray(value) ? value.find((word) => !options.choices.includes(word)) : value;
    if (!Array.isArray(value) || odd !== undefined) {
      throw refusal('common.expectedChoice', { name, choices: quoted(['none', ...options.choices]), got: show(odd) });
    }
    return [...value];
  };
  /** @param {string} text @param {string} name @returns {string[] | null} */
  const fromText = (text, name) => (text.trim() === 'none' ? [] : fromValue(text.split(/[\s,]+/).filter(Boolean), name));
  return { ...options, fromValue, fromText, toText: (value) => value && (value.join(' ') || 'none') };
}

/** @param {readonly string[]} words */
const quoted = (words) => words.map((word) => `'${word}'`).join(', ');

/** @param {readonly number[]} values @param {number | undefined} limit @param {string} name */
function checkLimit(values, limit, name) {
  const beyond = limit === undefined ? undefined : values.find((value) => Math.abs(value) > limit);
  if (beyond !== undefined) throw refusal('common.expectedRange', { name, min: -Number(limit), max: Number(limit), got: show(beyond) });
}

/** @param {unknown} value @returns {value is number[]} */
function isNumbers(value) {
  return Array.isArray(value) && value.every((item) => typeof item === 'number' && Number.isFinite(item));
}
