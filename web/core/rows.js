import { ofRank, readTensor } from './tensor-input.js';

/**
 * A tensor read as rows: all axes but the last, and the last.
 * @param {string} name
 * @param {unknown} value
 * @param {readonly number[]} ranks
 */
export function readRows(name, value, ranks) {
  const view = readTensor(name, value, ofRank(name, ranks));
  const leading = view.shape.slice(0, -1);
  return { view, leading, rows: leading.reduce((product, size) => product * size, 1), columns: view.shape[leading.length] };
}
