/**
 * Queries, keys and values whose attention shows the scores that were asked for. Only inputs are made here; every result is the engine's.
 */
import { matrixOf } from './rules.js';

/** @typedef {import('./rules.js').Size} Size */
/** @typedef {'zero' | 'random' | number[][]} Scores */
/** @typedef {{q: number[][], k: number[][], v: number[][], scale?: number}} Inputs */

/** Width of random queries and keys. */
export const RANDOM_WIDTH = 4;

/**
 * Numbers in −1..1, the same for the same seed on every machine (mulberry32).
 * @param {number} seed
 * @returns {() => number}
 */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2147483648 - 1;
  };
}

/**
 * @param {{scores: Scores, seed: number, values: number[] | null}} state @param {Size} size
 * @returns {Inputs}
 */
export function inputs({ scores, seed, values }, size) {
  const v = Array.from({ length: size.keys }, (_, j) => [values?.[j] ?? j + 1]);
  if (scores === 'zero') {
    return { q: matrixOf({ queries: size.queries, keys: 1 }, () => 0), k: matrixOf({ queries: size.keys, keys: 1 }, () => 0), v };
  }
  if (scores === 'random') {
    const next = seeded(seed);
    const draw = () => Math.round(next() * 300) / 100;
    // Keys first, so that asking for more queries leaves the columns as they were.
    const k = matrixOf({ queries: size.keys, keys: RANDOM_WIDTH }, draw);
    return { k, q: matrixOf({ queries: size.queries, keys: RANDOM_WIDTH }, draw), v };
  }
  // Against the unit vectors as keys and without a scale, a query's dot products are its own coordinates.
  return { q: scores, k: matrixOf({ queries: size.keys, keys: size.keys }, (i, j) => (i === j ? 1 : 0)), v, scale: 1 };
}

/**
 * The same inputs with another token in place of token `token`: its key and its value are nothing like they were.
 * @param {Inputs} given @param {number} token counted from 1
 * @returns {Inputs}
 */
export function replaceToken(given, token) {
  const next = seeded(0x7a11 + token);
  const k = given.k.map((row, j) => (j === token - 1 ? row.map(() => Math.round(next() * 40) / 10) : row));
  const v = given.v.map((row, j) => (j === token - 1 ? row.map((value) => value + 90) : row));
  return { ...given, k, v };
}
