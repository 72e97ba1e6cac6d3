// The public types of linear attention. B batch, Hq query heads, Hk key/value heads, nq queries, nk keys, d key width, dv value width.

/** @typedef {import('../tensor-input.js').TensorInput} TensorInput */

/**
 * All that a query can know of the keys before it is the state S, a d × dv matrix per key/value head. Each key changes
 * it by the rule, and the output of query i is scale · Sᵀ φ(qᵢ) after the last key that i sees:
 *
 * | rule | for every key | |
 * |---|---|---|
 * | `'linear'` | S ← S + φ(k) vᵀ | Katharopoulos et al. 2020 |
 * | `'gated'` | S ← exp(g) S + φ(k) vᵀ | gated linear attention, Yang et al. 2024 |
 * | `'delta'` | S ← S + β φ(k) (v − Sᵀ φ(k))ᵀ | fast weight programmers, Schlag et al. 2021 |
 * | `'gated-delta'` | S ← exp(g) S, then as `'delta'` | gated delta networks, Yang et al. 2025 |
 *
 * With `normalize` the output is a weighted mean: Sᵀ φ(q) / zᵀ φ(q), where z follows the same rule for values that are
 * all 1. Where that denominator is 0 the output is 0. A scale is divided out.
 *
 * Which defaults hold depends on whether a rule is given:
 *
 * | | no rule: the kernel form | a rule: the ONNX operator LinearAttention, opset 27 |
 * |---|---|---|
 * | `featureMap` | `'elu+1'` | `'identity'` |
 * | `normalize` | true | false |
 * | `causal` | false | true |
 * | `scale` | 1 | 1/√d |
 *
 * The kernel form updates as `'linear'` does. NaN and Infinity follow the arithmetic: in a query they concern its own
 * row of the output; in a key, value, decay or beta they enter the state and stay there, so they concern every query of
 * that batch entry and head that sees this key, and no other.
 *
 * @typedef {object} LinearAttentionOptions
 * @property {'linear' | 'gated' | 'delta' | 'gated-delta'} [rule] default: the kernel form
 * @property {'elu+1' | 'relu' | 'identity'} [featureMap] φ, for every component of queries and keys: x + 1 above 0 and
 *   exp(x) below; max(x, 0); x
 * @property {boolean} [causal] Query i sees key j if j ≤ i + nk − nq: the queries are the tail of the keys. Otherwise
 *   all queries read the state after the last key.
 * @property {boolean} [normalize]
 * @property {number} [scale] Any finite number. It replaces the default.
 * @property {TensorInput} [decay] g, the logarithm of what is kept of the state, for the gated rules: [B, Hk, nk], or
 *   [B, Hk, nk, d] with a number for every component of the key. Without the axes that k does not have; sizes of 1 repeat.
 * @property {TensorInput} [beta] β, how much of what S gives for a key is replaced, for the delta rules: [B, Hk, nk],
 *   with axes and sizes as for `decay`
 * @property {TensorInput} [state] where an earlier call left off; default zeros
 */

/**
 * `output` [B, Hq, nq, dv]. `state` [B, Hk, d, dv], after the last key, in float64: given to the next call it makes a
 * sequence in chunks give the same bits as one call. With `normalize` it is one wider, and its last column is z. Both
 * have only the axes that the inputs have.
 *
 * @template {Float32Array | Float64Array} [Data=Float32Array]
 * @typedef {object} LinearAttentionResult
 * @property {import('../tensor.js').Tensor<Data>} output
 * @property {import('../tensor.js').Tensor<Float64Array>} state
 */

export {};
