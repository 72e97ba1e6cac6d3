// The public types of multi-head attention. B batch, Hq query heads, Hk key/value heads, nq queries, nk keys, d width of a
// head's queries and keys, dv of its values; m width of x, mk of the context, mo of the output.

/** @typedef {import('../tensor-input.js').TensorInput} TensorInput */

/**
 * Weights are used as x·W; head h has columns h·d to (h + 1)·d.
 *
 * @typedef {object} MultiHeadLayers
 * @property {TensorInput} wq [m, Hq·d]
 * @property {TensorInput} wk [mk, Hk·d]
 * @property {TensorInput} wv [mk, Hk·dv]
 * @property {TensorInput} [wo] [Hq·dv, mo]. Without it the heads' outputs stand side by side.
 * @property {TensorInput} [bq] [Hq·d]
 * @property {TensorInput} [bk] [Hk·d]
 * @property {TensorInput} [bv] [Hk·dv]
 * @property {TensorInput} [bo] [mo], only with `wo`
 * @property {number} heads Hq
 * @property {number} [kvHeads] Hk, of which `heads` is a multiple. Default `heads`.
 * @property {TensorInput} [context] What keys and values are made from, [nk, mk] or [B, nk, mk]: cross-attention. Default
 *   x: self-attention.
 * @property {TensorInput} [contextValues] What values alone are made from, as long as the context; its width is that of
 *   `wv` then. Default the context.
 * @property {boolean} [returnHeads] also return `heads`, what each head gives. Default false.
 */

/** @typedef {MultiHeadLayers & import('../types.js').AttentionOptions} MultiHeadOptions */

/**
 * `output` [nq, mo] or [B, nq, mo]; `weights` and `scores` [Hq, nq, nk], `logSumExp` [Hq, nq], `heads` [Hq, nq, dv], with
 * B in front if x has it. Nothing is averaged over heads. All but `output` only if asked for.
 *
 * @template {MultiHeadOptions} [Options=MultiHeadOptions]
 * @typedef {import('../types.js').AttentionTensors<Float32Array, Options['returnWeights'], Options['returnScores'], Options['returnLogSumExp']>
 *   & import('../types.js').When<Options['returnHeads'], { heads: import('../tensor.js').Tensor }>
 *   & { report: import('../types.js').Report }} MultiHeadResult
 */

/**
 * With the weights, unless they were declined.
 * @template {MultiHeadOptions} [Options=MultiHeadOptions]
 * @typedef {import('../types.js').AttentionTensors<Float64Array, Options['returnWeights'] extends false ? false : true, Options['returnScores'],
 *   Options['returnLogSumExp']> & import('../types.js').When<Options['returnHeads'], { heads: import('../tensor.js').Tensor<Float64Array> }>} ReferenceMultiHeadResult
 */

export {};
