import { booleans, build } from './tensors.js';

/** @typedef {import('./tensors.js').Values} Values */

const layers = { wq: 'Wq', wk: 'Wk', wv: 'Wv', wo: 'Wo', bq: 'bq', bk: 'bk', bv: 'bv', bo: 'bo' };

/**
 * Projections around attention, as PyTorch's module, ONNX Runtime's operator and a textbook write them. A causal mask puts
 * query 0 on key 0.
 * @param {import('../cases.js').Case} given @param {Record<string, Values>} outputs @returns {import('./adapter.js').Call[]}
 */
export function multiHeadAttention({ attrs, inputs }, { Y, weights, weights_mean: mean }) {
  const { query, key, value, attn_mask: mask, key_mask: keyMask } = inputs;
  const options = {
    ...Object.fromEntries(Object.entries(layers).flatMap(([name, theirs]) => (inputs[theirs] ? [[name, inputs[theirs]]] : []))),
    heads: attrs.q_num_heads,
    ...(attrs.kv_num_heads && { kvHeads: attrs.kv_num_heads }),
    ...(key && { context: key }),
    ...(value && { contextValues: value }),
    ...(mask && (mask.dtype === 'bool' ? { allow: booleans(mask) } : { bias: mask })),
    ...(keyMask && { allowKeys: booleans(keyMask) }),
    ...(attrs.is_causal && { causal: true, queryOffset: 0 }),
  };
  const expected = { ...(Y && { output: Y }), ...(weights && { weights }) };
  return [
    { method: 'multiHeadAttention', inputs: { x: query }, options: { ...options, returnWeights: Boolean(weights) }, expected },
    ...(mean ? [meanOfWeights(query, options, mean)] : []),
  ];
}

/**
 * The engine averages nothing. But where key j has the j-th unit vector for its value, what a head gives is its weights,
 * and a projection that adds up the heads' shares is their mean.
 * @param {Values} query @param {Record<string, any>} options @param {Values} mean [B, nq, nk]
 */
function meanOfWeights(query, { bv: _bv, bo: _bo, ...options }, mean) {
  const [batch, , keys] = mean.shape;
  const { heads } = options;
  const unit = (/** @type {number} */ i, /** @type {number} */ j) => Number(i === j);
  return {
    method: 'multiHeadAttention',
    inputs: { x: query },
    options: {
      ...options,
      contextValues: build([batch, keys, keys], ([, i, j]) => unit(i, j)),
      wv: build([keys, heads * keys], ([i, j]) => unit(i, j % keys)),
      wo: build([heads * keys, keys], ([i, j]) => unit(i % keys, j) / heads),
    },
    expected: { output: mean },
  };
}
