import { splitHeads } from './tensors.js';

/** @typedef {import('./tensors.js').Values} Values */
/** @typedef {import('../cases.js').Case} Case */
/** @typedef {import('./adapter.js').Call} Call */

/**
 * ONNX LinearAttention: heads packed into the last axis; a decay for each component of a key or one for all, a beta for
 * each head or one for all.
 * @param {Case} given @param {Record<string, Values>} outputs @returns {Call[]}
 */
export function linearAttention({ attrs, inputs }, { output, present_state: state }) {
  const { q_num_heads: heads, kv_num_heads: kvHeads, update_rule: rule = 'gated_delta', scale } = attrs;
  const { query, key, value, past_state: past, decay, beta } = inputs;
  const gate = (/** @type {Values} */ tensor) => splitHeads(tensor, tensor.shape[2] === 1 ? 1 : kvHeads);
  return [{
    method: 'linearAttention',
    inputs: { q: splitHeads(query, heads), k: splitHeads(key, kvHeads), v: splitHeads(value, kvHeads) },
    options: {
      rule: rule.replace('_', '-'),
      ...(scale && { scale }), // 0 stands for the default
      ...(decay && { decay: gate(decay) }),
      ...(beta && { beta: gate(beta) }),
      ...(past && { state: past }),
    },
    expected: { output: splitHeads(output, heads), ...(state && { state }) },
  }];
}

/** Attention with a feature map in place of the softmax. @param {Case} given @param {Record<string, Values>} outputs @returns {Call[]} */
export const kernelLinearAttention = ({ attrs, inputs: { Q, K, V } }, { Y }) => [{
  method: 'linearAttention',
  inputs: { q: Q, k: K, v: V },
  options: {
    featureMap: attrs.feature_map === 'elu_plus_one' ? 'elu+1' : attrs.feature_map,
    causal: Boolean(attrs.is_causal),
    normalize: Boolean(attrs.normalize ?? 1),
  },
  expected: { output: Y },
}];
