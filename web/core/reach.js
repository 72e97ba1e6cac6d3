import { refusals } from './errors.js';
import { record } from './record.js';

/** @param {unknown} value @param {number} least @returns {value is number} */
const isWhole = (value, least) => Number.isInteger(value) && Number(value) >= least;

/**
 * The reach of a window to the left and right of a query's position. A width counts the query's own position: width 1
 * is itself alone. 0 is refused, since it means "no window" in one library and "nothing visible" in another.
 * @param {unknown} value
 */
export function readWindow(value) {
  if (typeof value !== 'object' || value === null) {
    if (!isWhole(value, 1)) throw refusals.window(value);
    return { left: value - 1, right: value - 1 };
  }
  const { left, right } = record('window', value, ['left', 'right']);
  return { left: readReach('window.left', left), right: readReach('window.right', right) };
}

/** @param {string} name @param {unknown} value */
function readReach(name, value) {
  if (value !== Infinity && !isWhole(value, 0)) throw refusals.number(name, 'a whole number of at least 0, or Infinity', value);
  return /** @type {number} */ (value);
}

/**
 * Offsets and reaches of any size as the ones within the core's integers that mean the same. A query's position P and
 * the ends of its window matter only by j − i − offset, and j − i lies between −nq and nk: what lies beyond is as good
 * as at the border.
 * @param {import('./settings.js').Settings['wire']} wire
 * @param {import('./inputs.js').CallShape} shape
 */
export function boundPositions(wire, { queries, keys }) {
  const bound = (/** @type {number} */ distance) => Math.min(Math.max(distance, -queries), keys);
  const given = Number.isNaN(wire.queryOffset) ? keys - queries : wire.queryOffset;
  const offset = bound(given);
  if (!Number.isNaN(wire.queryOffset)) wire.queryOffset = offset;
  if (Number.isNaN(wire.windowLeft)) return;
  wire.windowLeft = offset - bound(given - wire.windowLeft);
  wire.windowRight = bound(given + wire.windowRight) - offset;
}
