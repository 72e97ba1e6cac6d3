import { flagsField, numberField, rowsField, vectorField } from '../fields.js';

/**
 * @typedef {object} TwoKeyState
 * @property {number[]} q
 * @property {number[][]} keys
 * @property {number[][]} values
 * @property {number} temperature  0 means the limit
 * @property {boolean[] | null} allowKeys  true: may be attended; null: all may
 */

const LARGEST = 1e6;
const MOST_KEYS = 12;

/** Temperatures from here on, or 0: below it the scores' differences leave float64. */
export const COLDEST = 0.01;
export const HOTTEST = 100;

export const schema = {
  q: vectorField({ attribute: 'q', default: [1, 0], width: 2, limit: LARGEST }),
  keys: rowsField({ attribute: 'keys', default: [[1, 0], [0, 1]], width: 2, min: 1, max: MOST_KEYS, limit: LARGEST }),
  values: rowsField({ attribute: 'values', default: [[2, 0], [0, 4]], width: 2, min: 1, max: MOST_KEYS, limit: LARGEST }),
  temperature: numberField({ attribute: 'temperature', default: 1, min: 0, max: HOTTEST }),
  allowKeys: flagsField({ attribute: 'allow-keys', default: null }),
};
