import { at, booleans, build } from './tensors.js';

/** @typedef {import('./tensors.js').Values} Values */

/**
 * The boolean mask that some rule means: windows, causal masks, sequences packed into one, chunks.
 * @param {import('../cases.js').Case} given @param {Record<string, Values>} outputs @returns {import('./adapter.js').Call[]}
 */
export function maskBuilder({ attrs, inputs }, { mask }) {
  const masks = kinds[attrs.kind]({ attrs, inputs });
  return masks.map((options) => {
    const { shape } = mask;
    const sizes = { queries: shape[shape.length - 2], keys: shape[shape.length - 1], ...(shape.length === 4 && { batch: shape[0], heads: shape[1] }) };
    return { method: 'mask', inputs: {}, options: { ...sizes, ...options }, expected: { itself: mask } };
  });
}

/** Several sets of options may mean the same mask. @type {Record<string, (given: { attrs: Record<string, any>, inputs: Record<string, Values> }) => Record<string, any>[]>} */
const kinds = {
  window: ({ attrs: { left, right, query_index: queryOffset = 0, keras_sliding_window: width } }) => [
    { window: { left, right }, queryOffset },
    ...(width === undefined ? [] : [{ window: width, causal: right === 0, queryOffset }]),
  ],
  causal: ({ attrs: { alignment, offset, q_len: queries, kv_len: keys } }) => [
    { causal: true, queryOffset: alignment === 'offset' ? offset : alignment === 'bottom_right' ? keys - queries : 0 },
  ],
  packed_causal: ({ inputs: { position_ids: positions } }) => [
    { causal: true, queryOffset: 0, allow: samePart(sequencesOf(positions)) },
  ],
  chunked_causal: ({ attrs: { chunk_size: size }, inputs: { attention_mask: real } }) => [
    { causal: true, queryOffset: 0, allowKeys: booleans(real), allow: samePart(chunksOf(real, size)) },
  ],
};

/** Which sequence each place belongs to: a new one starts wherever positions do not go on by one. @param {Values} positions [B, n] */
function sequencesOf(positions) {
  let sequence = 0;
  return build(positions.shape, ([b, i]) => {
    if (i > 0 && at(positions, [b, i]) !== at(positions, [b, i - 1]) + 1) sequence++;
    return sequence;
  });
}

/** Which chunk each place belongs to, counted from the first real token. @param {Values} real [B, n] @param {number} size */
function chunksOf(real, size) {
  const [, length] = real.shape;
  const first = (/** @type {number} */ b) => real.data.subarray(b * length, (b + 1) * length).indexOf(1);
  return build(real.shape, ([b, i]) => Math.floor((i - first(b)) / size));
}

/** [B, 1, n, n]: whether query and key are of one part. @param {Values} parts [B, n] */
function samePart(parts) {
  const [batch, length] = parts.shape;
  return booleans(build([batch, 1, length, length], ([b, , i, j]) => Number(at(parts, [b, i]) === at(parts, [b, j]))));
}
