// The numbers beside the weights: what a row sums to, and the output it makes.

import { formatFraction, formatGiven, formatNumber } from '../../view/format.js';
import { isPaddedQuery } from './rules.js';
import { queryName, shown } from './words.js';

/** @typedef {import('./figure.js').MaskContext} MaskContext */
/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('../../view/matrix.js').Beside} Beside */

/** Weights are float32, so a whole row's sum may miss 1 by a few units of their last place. @param {number} sum */
export const sumText = (sum) => (Math.abs(sum - 1) < 1e-6 ? '1' : (formatFraction(sum) ?? formatNumber(sum)));

/** An output: short where a few binary places say all of it, as for the mean of two values, else two decimals. @param {number} value */
export const outputText = (value) => (Number.isInteger(value * 8) && Math.abs(value) < 1e6 ? formatGiven(value) : formatNumber(value, 2));

/**
 * @param {MaskContext} context @param {Layout} at @param {'weights' | 'zeroed'} matrix @param {number[]} sums
 * @returns {(row: number) => Beside[]}
 */
export function sumsBeside(context, at, matrix, sums) {
  const left = Number(at.sums[matrix]) - Number(at.at[matrix]?.x);
  return (row) => [{
    part: matrix === 'weights' ? `sum:${row}` : `zeroedSum:${row}`,
    x: left, width: at.sumWidth, text: sumText(sums[row]),
    role: sumText(sums[row]) === '1' ? 'muted' : 'off',
    name: context.text('mask.sumName', { query: queryName(context, row), sum: sumText(sums[row]) }),
  }];
}

/** @param {MaskContext} context @param {Layout} at @returns {(row: number) => Beside[]} */
export function besideWeights(context, at) {
  const { result, text } = context;
  const sums = sumsBeside(context, at, 'weights', result.rowSums);
  const left = at.output - Number(at.at.weights?.x);
  return (row) => {
    const value = result.output[row][0];
    const note = outputNote(context, row);
    const name = text('mask.outputName', { query: queryName(context, row), output: outputText(value) });
    return [...sums(row), {
      part: `output:${row}`, x: left, width: at.outputWidth, text: outputText(value), role: 'output',
      note: at.size < 28 ? undefined : note, name: note ? `${name}, ${note}` : name,
    }];
  };
}

/** What is to be said about an output: whether it withstood a replaced token, or that pooling must leave it out. @param {MaskContext} context @param {number} row */
function outputNote(context, row) {
  const { state, result, text } = context;
  if (result.before) return result.before.same[row] ? text('mask.same') : text('mask.was', { output: outputText(result.before.output[row][0]) });
  return isPaddedQuery(state, shown(context), row) ? text('mask.leaveOut') : undefined;
}
