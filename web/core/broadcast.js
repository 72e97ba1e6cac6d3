import { refusals } from './errors.js';
import { isList } from './lists.js';

/**
 * The strides, in elements, that repeat a tensor from the right to [B, Hq, nq, nk]: a missing axis or one of size 1
 * repeats and has stride 0.
 * @param {string} name
 * @param {readonly number[]} shape
 * @param {import('./inputs.js').CallShape} call
 */
export function broadcastStrides(name, shape, call) {
  const full = [call.batch, call.queryHeads, call.queries, call.keys];
  const missing = full.length - shape.length;
  const strides = [0, 0, 0, 0];
  let step = 1;
  for (let axis = 3; axis >= missing; axis--) {
    const size = shape[axis - missing];
    if (size !== full[axis] && size !== 1) throw refusals.broadcast(name, full, shape);
    if (size !== 1) strides[axis] = step;
    step *= size;
  }
  return strides;
}

/**
 * The shape of a mask or bias given as nested arrays where there are no queries: an empty list says nothing about the
 * rows it would hold, so `[]` is taken for [0, nk].
 * @param {unknown} value @param {readonly number[]} shape as read @param {{ queries: number, keys: number }} call
 */
export function ofEmptyRows(value, shape, { queries, keys }) {
  const tells = !isList(value) || queries > 0 || keys === 0 || shape.length > 3 || shape[shape.length - 1] !== 0;
  return tells ? shape : [...shape, keys];
}
