import { requireClose } from '../close.js';
import { at, booleans, build, entryOf, joinLength, splitHeads } from './tensors.js';

/** @typedef {import('./tensors.js').Values} Values */
/** @typedef {import('../cases.js').Case} Case */
/** @typedef {import('./adapter.js').Call} Call */

/**
 * ONNX Attention: packed or split heads, a cache before the keys, a projection bias, masks shorter than the keys. Where
 * ONNX puts query i is not the engine's default, so `queryOffset` is always given.
 * @param {Case} given @param {Record<string, Values>} outputs @returns {Call[]}
 */
export function attention({ attrs, inputs, tolerance }, outputs) {
  const { query, key, value, heads } = readHeads(attrs, inputs);
  // The cache after the call is what the engine is given as keys and values.
  if (outputs.present_key) requireClose('present_key', key, outputs.present_key, tolerance);
  if (outputs.present_value) requireClose('present_value', value, outputs.present_value, tolerance);

  const batch = query.shape[0];
  const lengths = inputs.nonpad_kv_seqlen && Array.from(inputs.nonpad_kv_seqlen.data);
  const options = scoreOptions(attrs);
  if (attrs.is_causal) options.causal = true;
  const [left = -1, right = -1] = [attrs.left_window_size, attrs.right_window_size];
  if (left >= 0 || right >= 0) options.window = { left: left < 0 ? Infinity : left, right: right < 0 ? Infinity : right };
  const mask = inputs.attn_mask && maskOption(inputs.attn_mask, key.shape[2]);
  const expected = expectedOf(attrs, outputs, heads);

  const offsets = Array.from({ length: batch }, (_, b) => offsetOf(attrs, query, key, inputs.past_key, lengths?.[b]));
  const positioned = options.causal || options.window;
  if (!positioned || offsets.every((offset) => offset === offsets[0])) {
    const all = { ...options, ...mask, ...(lengths && { keyLengths: lengths }), queryOffset: offsets[0] ?? 0 };
    const calls = callsOf({ q: query, k: key, v: value }, all, expected);
    return inputs.past_key ? [...calls, throughCache(calls[0], inputs.past_key)] : calls;
  }
  // An offset of its own for each batch entry: one call for each.
  return offsets.flatMap((queryOffset, b) => {
    const own = (/** @type {Values} */ tensor) => entryOf(tensor, b);
    const ownMask = mask && Object.fromEntries(Object.entries(mask).map(([name, tensor]) => [name, tensor.shape.length === 4 ? { ...tensor, ...own(tensor) } : tensor]));
    return callsOf(
      { q: own(query), k: own(key), v: own(value) },
      { ...options, ...ownMask, ...(lengths && { keyLengths: [lengths[b]] }), queryOffset },
      Object.fromEntries(Object.entries(expected).map(([name, tensor]) => [name, own(tensor)])),
    );
  });
}

/** What is asked of which call. @param {Record<string, Values>} inputs @param {Record<string, any>} options @param {Record<string, Values>} expected @returns {Call[]} */
function callsOf(inputs, options, { raw, capped, ...expected }) {
  const { scale, softcap } = options;
  const scored = { q: inputs.q, k: inputs.k };
  return [
    { method: 'attention', inputs, options: { ...options, returnWeights: 'weights' in expected, returnScores: 'scores' in expected }, expected },
    ...(raw ? [{ method: 'scores', inputs: scored, options: { scale }, expected: { itself: raw } }] : []),
    ...(capped ? [{ method: 'scores', inputs: scored, options: { scale, softcap }, expected: { itself: capped } }] : []),
  ];
}

/** The same call, the keys and values appended to a cache in two chunks. @param {Call} call @param {import('../cases.js').Tensor} past @returns {Call} */
const throughCache = ({ inputs, options, expected }, { shape, dtype }) => ({
  method: 'createKvCache',
  inputs,
  options: { ...options, dtype: dtype === 'float16' ? 'f16' : 'f32', chunk: shape[2] },
  expected,
});

/** Queries, keys and values of rank 4, bias added, cache in front. @param {Record<string, any>} attrs @param {Record<string, Values>} inputs */
function readHeads(attrs, inputs) {
  const packed = inputs.Q.shape.length === 3;
  const heads = packed ? attrs.q_num_heads : inputs.Q.shape[1];
  const kvHeads = packed ? attrs.kv_num_heads : inputs.K.shape[1];
  let bias = inputs.qkv_bias ? Array.from(inputs.qkv_bias.data) : [];
  const read = (/** @type {Values} */ tensor, /** @type {number} */ count) => {
    const split = packed ? splitHeads(tensor, count) : tensor;
    const width = split.shape[3];
    const own = bias.slice(0, count * width);
    bias = bias.slice(count * width);
    return own.length === 0 ? split : build(split.shape, (index) => at(split, index) + own[index[1] * width + index[3]]);
  };
  const query = read(inputs.Q, heads);
  const key = read(inputs.K, kvHeads);
  const value = read(inputs.V, kvHeads);
  const join = (/** @type {Values | undefined} */ past, /** @type {Values} */ now) => (past ? joinLength(past, now) : now);
  return { query, key: join(inputs.past_key, key), value: join(inputs.past_value, value), heads };
}

/** @param {Record<string, any>} attrs @returns {Record<string, any>} */
function scoreOptions({ scale, softcap = 0 }) {
  return { ...(scale !== undefined && { scale }), ...(softcap !== 0 && { softcap }) };
}

/**
 * The position of query 0: after the cache, or so that the last query sits on the last real key, or 0.
 * @param {Record<string, any>} attrs @param {Values} query @param {Values} key @param {Values | undefined} past @param {number | undefined} length
 */
function offsetOf({ causal_align: align }, query, key, past, length) {
  const [, , queries] = query.shape;
  if (align !== undefined) return align === 'bottom_right' ? key.shape[2] - queries : 0;
  if (past) return past.shape[2];
  return length === undefined ? 0 : length - queries;
}

/** `allow` or `bias`. Columns that a mask lacks are forbidden, even if it has but one. @param {import('../cases.js').Tensor} mask @param {number} keys */
function maskOption(mask, keys) {
  const flags = mask.dtype === 'bool';
  const columns = mask.shape[mask.shape.length - 1];
  const whole = columns === keys
    ? mask
    : build([...mask.shape.slice(0, -1), keys], (index) => (index[index.length - 1] < columns ? at(mask, index) : flags ? 0 : -Infinity));
  return flags ? { allow: booleans(whole) } : { bias: whole };
}

/** Outputs by the engine's names, in its layout. @param {Record<string, any>} attrs @param {Record<string, Values>} outputs @param {number} heads @returns {Record<string, Values>} */
function expectedOf({ qk_matmul_output_mode: mode = 0 }, { Y, weights, qk_matmul_output: cells }, heads) {
  return {
    ...(Y && { output: Y.shape.length === 3 ? splitHeads(Y, heads) : Y }),
    ...(weights && { weights }),
    ...(cells && { [['raw', 'capped', 'scores', 'weights'][mode]]: cells }),
  };
}
