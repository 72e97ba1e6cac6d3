import { booleans, build, reshape, transpose } from './tensors.js';

/** @typedef {import('./tensors.js').Values} Values */
/** @typedef {import('../cases.js').Case} Case */
/** @typedef {import('./adapter.js').Call} Call */

/** One matrix per batch entry, [B, n, w], as one head of it. @param {Values} tensor */
const asHead = (tensor) => reshape(tensor, [tensor.shape[0], 1, ...tensor.shape.slice(1)]);

/**
 * AllenNLP's and others' score functions, all without a scale but the scaled one.
 * @param {Case} given @param {Record<string, Values>} outputs @returns {Call[]}
 */
export function scoreFunction({ attrs: { kind, scale }, inputs }, outputs) {
  const { name, append = 0, parameters } = kinds[kind];
  const scoring = { kind: name, ...parameters(inputs) };
  const vectors = { q: withOnes(inputs.query, append), k: withOnes(inputs.key, append) };
  return callsOf(vectors, undefined, { scoring, ...(scale !== undefined && { scale }) }, outputs);
}

/**
 * Keras' and PyTorch's additive attention. Projections are x·W there; without them, units are the sums themselves.
 * @param {Case} given @param {Record<string, Values>} outputs @returns {Call[]}
 */
export function additiveAttention({ inputs }, outputs) {
  const { query, key, value, Wq = identity(query.shape[2]), Wk = identity(key.shape[2]), score_vector: v = ones([Wq.shape[1]]) } = inputs;
  const options = { scoring: { kind: 'additive', wq: transpose(Wq), wk: transpose(Wk), v } };
  const { key_mask: keys, query_mask: queries } = inputs;
  const masks = keys && { allowKeys: booleans(keys) };
  if (!queries) return callsOf({ q: query, k: key }, value, options, outputs, masks);
  // It empties rows of the output, not those of the weights.
  const { Y, ...others } = outputs;
  const rows = booleans(build([queries.shape[0], 1, queries.shape[1], key.shape[1]], ([b, , i]) => queries.data[b * queries.shape[1] + i]));
  return [
    ...callsOf({ q: query, k: key }, value, options, others, masks),
    ...callsOf({ q: query, k: key }, value, options, { Y }, { ...masks, allow: rows }),
  ];
}

/**
 * Scores as they are before any mask; weights and outputs after it.
 * @param {{ q: Values, k: Values }} vectors @param {Values | undefined} value @param {Record<string, any>} options
 * @param {Record<string, Values>} outputs @param {Record<string, any>} [masks]
 * @returns {Call[]}
 */
function callsOf({ q, k }, value, options, { scores, weights, Y }, masks) {
  const inputs = { q: asHead(q), k: asHead(k) };
  const v = asHead(value ?? ones([k.shape[0], k.shape[1], 1]));
  const expected = { ...(weights && { weights: asHead(weights) }), ...(Y && { output: asHead(Y) }) };
  return [
    ...(scores ? [{ method: 'scores', inputs, options, expected: { itself: asHead(scores) } }] : []),
    ...(weights || Y ? [{ method: 'attention', inputs: { ...inputs, v }, options: { ...options, ...masks, returnWeights: Boolean(weights) }, expected }] : []),
  ];
}

/** @type {Record<string, { name: string, append?: number, parameters: (inputs: Record<string, Values>) => Record<string, any> }>} */
const kinds = {
  dot: { name: 'dot', parameters: () => ({}) },
  scaled_dot: { name: 'scaled-dot', parameters: () => ({}) },
  cosine: { name: 'cosine', parameters: () => ({}) },
  bilinear: { name: 'general', parameters: ({ W, b }) => ({ w: W, ...constant(b) }) },
  bilinear_augmented: { name: 'general', append: 1, parameters: ({ W, b }) => ({ w: W, ...constant(b) }) },
  linear: { name: 'linear', parameters: ({ w, b }) => ({ w, ...constant(b) }) },
  trilinear: { name: 'trilinear', parameters: ({ w, b }) => ({ w, ...constant(b) }) },
};

/** @param {Values | undefined} b */
const constant = (b) => b && { b: b.data[0] };

/** @param {readonly number[]} shape */
const ones = (shape) => build(shape, () => 1);

/** @param {number} size */
const identity = (size) => build([size, size], ([i, j]) => Number(i === j));

/** With so many 1s behind every row of [B, n, w]. @param {Values} tensor @param {number} count */
function withOnes({ shape: [batch, length, width], data }, count) {
  return build([batch, length, width + count], ([b, i, c]) => (c < width ? data[(b * length + i) * width + c] : 1));
}
