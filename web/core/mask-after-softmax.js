import { readBooleans } from './boolean-input.js';
import { refusals } from './errors.js';
import { Layout } from './layout.js';
import { readRows } from './rows.js';
import { Tensor } from './tensor.js';

/**
 * Masking at the wrong moment, in float64: the softmax over all scores first, forbidden cells set to 0 afterwards.
 * @param {import('./core.js').Core} core
 * @param {unknown} scores rank 2 to 4, finite or −Infinity
 * @param {unknown} allow booleans of the same shape
 * @returns {import('./types.js').MaskAfterSoftmaxResult}
 */
export function maskAfterSoftmax(core, scores, allow) {
  const { view, leading, rows, columns } = readRows('scores', scores, [2, 3, 4]);
  const mask = readBooleans('allow', allow, (shape) => {
    if (shape.join() !== view.shape.join()) throw refusals.sameShape('allow', view.shape, 'scores', shape);
  });
  const layout = new Layout();
  const input = layout.addInput('scores', Float64Array, view);
  const cells = layout.addInput('allow', Uint8Array, mask);
  const weights = layout.add('weights', Float64Array, view.shape);
  const sums = layout.add('rowSums', Float64Array, leading);
  const renormalised = layout.add('renormalised', Float64Array, view.shape);
  const { base, memory } = core.execute(
    'maskAfterSoftmax', layout, (raw) => raw._reserve(layout.bytes),
    (raw, at) => raw._maskAfterSoftmax(at + input, at + cells, rows, columns, at + weights, at + sums, at + renormalised),
  );
  const read = (/** @type {number} */ place, /** @type {number[]} */ shape) =>
    new Tensor(memory.read(Float64Array, base + place, shape), [...shape]);
  return {
    weights: read(weights, view.shape),
    rowSums: read(sums, leading),
    renormalised: read(renormalised, view.shape),
  };
}
