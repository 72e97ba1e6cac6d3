// The numbers as tables, every digit.

import { keyName, queryName, shown } from './words.js';

/** @typedef {import('./words.js').Picture} Picture */
/** @typedef {import('../element.js').Table} Table */

/** @param {Picture} picture @returns {Table[]} */
export function tables(picture) {
  const { result, text } = picture;
  const { queries, keys } = shown(picture);
  const columns = Array.from({ length: keys }, (_, j) => keyName(picture, j));
  /** @param {string} name @param {(boolean | number)[][]} rows @param {string[]} [extra] @param {(i: number) => number[]} [beside] @returns {Table} */
  const table = (name, rows, extra = [], beside = () => []) => ({
    name: `${text(name)}, ${queries}×${keys}`,
    columns: [text('mask.queryColumn'), ...columns, ...extra],
    rows: rows.map((row, i) => [queryName(picture, i), ...row, ...beside(i)]),
  });
  const { compared } = result;
  return [
    table('mask.weights', result.weights, [text('mask.sumColumn'), text('mask.output')], (i) => [result.rowSums[i], ...result.output[i]]),
    table('mask.scores', result.scores),
    table('mask.mask', result.allow),
    ...(compared ? [
      table('mask.zeroed', compared.zeroed, [text('mask.sumColumn')], (i) => [compared.rowSums[i]]),
      table('mask.renormalised', compared.renormalised),
    ] : []),
  ];
}
