// The public types of explanations. B batch, Hq query heads, Hk key/value heads, nq queries, nk keys, d key width, dv value width.

/** @typedef {import('../tensor-input.js').TensorInput} TensorInput */
/** @typedef {import('../tensor.js').Tensor<Float64Array>} WideTensor */

/** @typedef {import('../types.js').ScoreOptions & { emptyRows?: 'zero' | 'nan' | 'uniform' }} ExplainOptions */

/**
 * @typedef {object} LeaveOneOutResult
 * @property {WideTensor} output [B, Hq, nq, dv], with all keys
 * @property {WideTensor} without [B, Hq, nq, nk, dv]: the output without key j
 * @property {WideTensor} difference [B, Hq, nq, nk]: the length of without − output; 0 where key j is masked anyway
 */

/**
 * @typedef {object} ReplaceValueResult
 * @property {WideTensor} output [B, Hq, nq, dv], before
 * @property {WideTensor} after [B, Hq, nq, dv]
 * @property {WideTensor} difference [B, Hq, nq]: the length of after − output
 */

/**
 * One component of the output, or the product of the output with a direction, repeated from the right to [B, Hq, nq, dv].
 *
 * @typedef {({ component: number, direction?: undefined } | { direction: TensorInput, component?: undefined }) & {
 *   query?: number
 * }} GradientTarget `query`: of that query alone. Default: the sum over all queries.
 */

/**
 * @typedef {import('./backward.js').Gradients<Float64Array> & {
 *   dWeights: WideTensor,
 *   dScores: WideTensor
 * }} ExplainGradientResult `dWeights` [B, Hq, nq, nk]: if weights could be chosen freely, the product of the value with the
 *   direction. `dScores` [B, Hq, nq, nk]: of what the softmax sees. Both 0 where masked.
 */

/**
 * @typedef {object} EqualOutputWeightsResult
 * @property {boolean} exists false: no other weights give this output; `weights` are then the given ones
 * @property {boolean} farthest whether it is sure that no other weights are farther from the given ones: always for up to
 *   14 keys with a weight above 0, and where there are no others
 * @property {number} distance total variation, ½ Σ |difference|: the share of the weight that has moved, from 0 to 1
 * @property {WideTensor} weights [nk]
 * @property {WideTensor} output [dv], of these weights: within 1e-9 of the largest |v| of what the given ones give
 */

/**
 * What an output depends on, asked in four ways that need not agree with the weights (Jain & Wallace 2019, "Attention is
 * not explanation"; Wiegreffe & Pinter 2019, "Attention is not not explanation"). In float64, by the rules of `reference`.
 *
 * @typedef {object} Explain
 * @property {(q: TensorInput, k: TensorInput, v: TensorInput, options?: ExplainOptions) => LeaveOneOutResult} leaveOneOut
 *   Every output without each key in turn (Jain & Wallace 2019, section 4.1): the same call with that one cell masked, so
 *   that the other weights grow to sum to 1 again. Takes nk times as long as `reference.attention`.
 * @property {(q: TensorInput, k: TensorInput, v: TensorInput, replacement: { key: number, value: TensorInput }, options?: ExplainOptions) => ReplaceValueResult} replaceValue
 *   The output once key number `key` has another value, [dv], or [B, Hk, dv] with one for each head. The weights stay, so
 *   output i moves by wᵢ,key · (new − old).
 * @property {(q: TensorInput, k: TensorInput, v: TensorInput, target: GradientTarget, options?: import('./backward.js').GradientOptions) => ExplainGradientResult} gradient
 *   How fast the target moves with every number of q, k and v, with weights and with scores.
 * @property {(weights: TensorInput, v: TensorInput, options?: { allow?: import('../boolean-input.js').BooleanInput }) => EqualOutputWeightsResult} equalOutputWeights
 *   Other weights with the same output (after Jain & Wallace 2019, section 4.2.2): x ≥ 0, Σ x = 1, xᵀV = wᵀV, with w [nk],
 *   V [nk, dv], and as far from w as possible in total variation. Those x are a polytope, and a convex function such as
 *   that distance is largest at one of its vertices. Since |xⱼ − wⱼ| is the larger of ±(xⱼ − wⱼ), the farthest vertex is the
 *   best of 2ᵐ linear programs, one for each choice of signs of the m keys with weight. Up to m = 14 all are solved by the
 *   simplex method. Beyond, signs follow the answer until it moves no more, from several starts: then no change of signs
 *   leads farther, but another start might. Whether there are other weights at all (by more than 1e-6) is always decided.
 *   `allow` [nk] forbids keys: they get no weight, and their values are not read.
 */

export {};
