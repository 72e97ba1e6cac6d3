/** Moving values of a case between its layout and that of the engine. Tensors are `{ shape, data }`, row-major. */

/** @typedef {{ shape: readonly number[], data: Float64Array }} Values */

/** @param {readonly number[]} shape */
const countOf = (shape) => shape.reduce((count, size) => count * size, 1);

/**
 * A tensor of a shape, each value taken from a place.
 * @param {readonly number[]} shape @param {(index: number[]) => number} valueAt @returns {Values}
 */
export function build(shape, valueAt) {
  const data = new Float64Array(countOf(shape));
  const index = shape.map(() => 0);
  for (let place = 0; place < data.length; place++) {
    data[place] = valueAt(index);
    for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) index[axis] = 0;
  }
  return { shape, data };
}

/** @param {Values} tensor @param {readonly number[]} index */
export const at = ({ shape, data }, index) => data[index.reduce((place, i, axis) => place * shape[axis] + i, 0)];

/** The same values under another shape. @param {Values} tensor @param {readonly number[]} shape @returns {Values} */
export const reshape = ({ data }, shape) => ({ shape, data });

/** [B, n, H·w] → [B, H, n, w]. @param {Values} tensor @param {number} heads */
export function splitHeads(tensor, heads) {
  const [batch, length, packed] = tensor.shape;
  const width = packed / heads;
  return build([batch, heads, length, width], ([b, h, i, c]) => at(tensor, [b, i, h * width + c]));
}

/** Two tensors [B, H, n, w], one behind the other along n. @param {Values} first @param {Values} second */
export function joinLength(first, second) {
  const [batch, heads, before, width] = first.shape;
  const shape = [batch, heads, before + second.shape[2], width];
  return build(shape, ([b, h, i, c]) => (i < before ? at(first, [b, h, i, c]) : at(second, [b, h, i - before, c])));
}

/** One batch entry, as a batch of one. An axis that is broadcast stays. @param {Values} tensor @param {number} b @returns {Values} */
export function entryOf(tensor, b) {
  const [batch, ...rest] = tensor.shape;
  const size = countOf(rest);
  const from = batch === 1 ? 0 : b * size;
  return { shape: [1, ...rest], data: tensor.data.slice(from, from + size) };
}

/** @param {Values} matrix [m, n] */
export const transpose = (matrix) => build([matrix.shape[1], matrix.shape[0]], ([i, j]) => at(matrix, [j, i]));

/** As the engine takes booleans. @param {Values} tensor */
export const booleans = ({ shape, data }) => ({ shape, data: Uint8Array.from(data, (value) => Number(value !== 0)), dtype: /** @type {const} */ ('bool') });
