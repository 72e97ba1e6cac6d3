import { refusals } from './errors.js';
import { roomFor } from './flatten.js';
import { isList } from './lists.js';
import { numbers, readTensor } from './tensor-input.js';

/**
 * The strides, in elements, that repeat a tensor from the right to [B, Hq, nq, nk]: a missing axis or one of size 1
 * repeats and has stride 0.
 * @param {string} name
 * @param {readonly number[]} shape
 * @param {import('./inputs.js').CallShape} call
 */
export const broadcastStrides = (name, shape, call) => stridesTo(name, shape, [call.batch, call.queryHeads, call.queries, call.keys]);

/** The same for any shape to repeat to. @param {string} name @param {readonly number[]} shape @param {readonly number[]} full */
function stridesTo(name, shape, full) {
  const missing = full.length - shape.length;
  const strides = full.map(() => 0);
  if (missing < 0) throw refusals.broadcast(name, full, shape);
  let step = 1;
  for (let axis = full.length - 1; axis >= missing; axis--) {
    const size = shape[axis - missing];
    if (size !== full[axis] && size !== 1) throw refusals.broadcast(name, full, shape);
    if (size !== 1) strides[axis] = step;
    step *= size;
  }
  return strides;
}

/** A tensor repeated from the right to a shape, as a copy. @param {string} name @param {unknown} value @param {readonly number[]} shape */
export function readRepeated(name, value, shape) {
  const view = readTensor(name, value, (own) => void stridesTo(name, own, shape));
  const strides = stridesTo(name, view.shape, shape);
  const data = /** @type {Float64Array} */ (roomFor(name, shape, numbers));
  for (let place = 0; place < data.length; place++) {
    let rest = place;
    let from = 0;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      from += (rest % shape[axis]) * strides[axis];
      rest = Math.floor(rest / shape[axis]);
    }
    data[place] = view.data[from];
  }
  return { data, shape: [...shape] };
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
