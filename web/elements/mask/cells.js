// What stands in each cell of each matrix and how it is read aloud.

import { formatFraction, formatGiven, formatNumber } from '../../view/format.js';
import { keyName, queryName } from './words.js';

/** @typedef {import('../../view/matrix.js').Cell} Cell */
/** @typedef {import('./words.js').Picture} Picture */

/**
 * Decimals that a cell has room for. One matrix uses the same everywhere.
 * @param {number} size
 */
const digits = (size) => (size >= 40 ? 3 : 2);

/** @param {Picture} picture @param {number} i @param {number} j @param {string} what */
const named = (picture, i, j, what) => picture.text('mask.cell', { query: queryName(picture, i), key: keyName(picture, j), what });

/**
 * A weight of one of the weight matrices.
 * @param {Picture} picture @param {number} i @param {number} j @param {number} weight @param {number} size @param {boolean} [hidden]  whether the mask shows
 * @returns {Cell}
 */
function weightCell(picture, i, j, weight, size, hidden = !picture.result.allow[i][j]) {
  const { text } = picture;
  if (!Number.isFinite(weight)) return { look: 'nonfinite', text: formatNumber(weight), name: named(picture, i, j, text('mask.weightIs', { weight: formatNumber(weight) })) };
  if (hidden && weight === 0) return { look: 'masked', text: '0', name: named(picture, i, j, text('mask.maskedWeight')) };
  const fraction = formatFraction(weight);
  const shown = fraction ?? formatNumber(weight, digits(size));
  // A fraction is read as a decimal first, since not every voice knows ⅐; what is seen is always part of what is read.
  const spoken = fraction && fraction.length === 1 && !/[01]/.test(fraction) ? `${formatGiven(weight)} (${fraction})` : shown;
  return { look: 'weight', value: weight, text: shown, name: named(picture, i, j, text(weight === 0 ? 'mask.weightZero' : 'mask.weightIs', { weight: spoken })) };
}

/** @param {Picture} picture @param {number[][]} weights @param {number} size @returns {Cell[][]} */
export const weightCells = (picture, weights, size) => weights.map((row, i) => row.map((weight, j) => weightCell(picture, i, j, weight, size)));

/** Weights before any mask: nothing is hatched. @param {Picture} picture @param {number[][]} weights @param {number} size @returns {Cell[][]} */
export const unmaskedCells = (picture, weights, size) => weights.map((row, i) => row.map((weight, j) => weightCell(picture, i, j, weight, size, false)));

/** @param {Picture} picture @param {number} i @param {number} j @param {number} size @returns {Cell} */
function scoreCell(picture, i, j, size) {
  const { state, result, text } = picture;
  const score = result.scores[i][j];
  const written = Number.isInteger(score) ? formatGiven(score) : formatNumber(score, size >= 40 ? 2 : 1);
  const name = named(picture, i, j, text('mask.scoreIs', { score: written }));
  if (!Number.isFinite(score)) return { look: 'nonfinite', text: written, name };
  return { look: 'score', value: score, text: written, name, edited: state.replaced === j + 1 };
}

/** @param {Picture} picture @param {number} size @returns {Cell[][]} */
export const scoreCells = (picture, size) => picture.result.scores.map((row, i) => row.map((_, j) => scoreCell(picture, i, j, size)));

/**
 * The mask in the notation the reader chose. Only the signs depend on it: hatched is always "may not look".
 * @param {Picture} picture @param {number} i @param {number} j
 * @returns {Cell}
 */
function maskCell(picture, i, j) {
  const { state, result, text } = picture;
  const allowed = result.allow[i][j];
  const sign = { signs: ['0', '−∞'], allow: ['1', '0'], drop: ['0', '1'] }[state.notation][allowed ? 0 : 1];
  const name = named(picture, i, j, text(allowed ? 'mask.allowed' : 'mask.masked'));
  return { look: allowed ? 'open' : 'masked', text: sign, name: `${name}, ${sign}` };
}

/** @param {Picture} picture @returns {Cell[][]} */
export const maskCells = (picture) => picture.result.allow.map((row, i) => row.map((_, j) => maskCell(picture, i, j)));

/**
 * The mask drawn over the scores: what the softmax sees. In the boolean notations it is the mask alone.
 * @param {Picture} picture @param {number} size @returns {Cell[][]}
 */
export const maskedScoreCells = (picture, size) => picture.result.allow.map((row, i) => row.map((allowed, j) => {
  if (!allowed || picture.state.notation !== 'signs') return maskCell(picture, i, j);
  const cell = scoreCell(picture, i, j, size);
  return { ...cell, name: `${cell.name}, ${picture.text('mask.allowed')}` };
}));
