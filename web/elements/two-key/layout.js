// Where the three parts of the figure are: side by side where the figure is wide, below that stacked. Depends on the width and the
// number of keys alone, so the height is known before anything is computed.

import { WIDE } from '../../view/theme.css.js';

const HEADING = 52;
const TABLE_HEAD = 48;
const TABLE_FOOT = 32;
/** The least that one row of numbers takes. */
const TABLE_WIDTH = 276;

/** @typedef {{ left: number, top: number, size: number }} Square */
/**
 * @typedef {object} Layout
 * @property {number} height
 * @property {Square} query @property {Square} value  the two planes
 * @property {{ left: number, top: number, width: number, head: number, row: number }} table
 */

/**
 * @param {number} width  CSS px
 * @param {number} keys
 * @returns {Layout}
 */
export function layout(width, keys) {
  if (width < WIDE) return stacked(width, keys);
  const gap = Math.round(Math.min(Math.max(width * 0.035, 24), 40));
  const size = Math.min(Math.round((width - 2 * gap - TABLE_WIDTH) / 2), Math.round(width * 0.31));
  const row = Math.min(Math.max(Math.floor((size - TABLE_HEAD - TABLE_FOOT) / keys), 48), 104);
  return {
    height: HEADING + Math.max(size, TABLE_HEAD + keys * row + TABLE_FOOT) + 8,
    query: { left: 0, top: HEADING, size },
    table: { left: size + gap, top: HEADING, width: width - 2 * (size + gap), head: TABLE_HEAD, row },
    value: { left: width - size, top: HEADING, size },
  };
}

/** @param {number} width @param {number} keys @returns {Layout} */
function stacked(width, keys) {
  const size = Math.min(width, 400);
  const left = Math.round((width - size) / 2);
  const row = keys <= 4 ? 64 : 48;
  const table = HEADING + size + 24 + HEADING;
  const value = table + TABLE_HEAD + keys * row + TABLE_FOOT + 24 + HEADING;
  return {
    height: value + size + 8,
    query: { left, top: HEADING, size },
    table: { left, top: table, width: size, head: TABLE_HEAD, row },
    value: { left, top: value, size },
  };
}

/** The top of the heading over a part that begins at `top`. @param {number} top */
export const headingTop = (top) => top - HEADING;
