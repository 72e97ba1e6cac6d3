import { requireRank } from './tensor-input.js';

/**
 * A tensor as rows: all axes but the last, and the last.
 * @param {string} name
 * @param {import('./tensor-input.js').View} view
 * @param {readonly number[]} ranks
 */
export function rowsOf(name, view, ranks) {
  requireRank(name, view, ranks);
  const leading = view.shape.slice(0, -1);
  return { leading, rows: leading.reduce((product, size) => product * size, 1), columns: view.shape[leading.length] };
}
