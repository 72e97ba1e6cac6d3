import { refusals } from './errors.js';

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
