// The public types of gradients. B batch, Hq query heads, Hk key/value heads, nq queries, nk keys, d key width, dv value width.

/** @typedef {import('../tensor-input.js').TensorInput} TensorInput */

/**
 * Options of a gradient: those of `attention`, but without further outputs. `scoring` is `'scaled-dot'` or `'dot'`.
 *
 * @typedef {Omit<import('../types.js').ScoreOptions, 'scoring' | 'scoreMod'> & {
 *   scoring?: { kind: 'scaled-dot' | 'dot' },
 *   emptyRows?: 'zero' | 'nan' | 'uniform'
 * }} GradientOptions
 */

/**
 * `tile`: default automatic; never more than 64 queries at a time.
 *
 * @typedef {GradientOptions & { tile?: { queries: number, keys: number } }} BackwardOptions
 */

/**
 * `dQuery` has the shape of q, `dKey` that of k, `dValue` that of v. With Z = scale · Q·Kᵀ, S what softcap and bias make of
 * Z, P = softmax(S), O = P·V and dO the gradient of a loss with respect to O (Dao 2023, "FlashAttention-2", section 2.3.2):
 *
 *     dV = Pᵀ·dO        dP = dO·Vᵀ        Dᵢ = Σⱼ Pᵢⱼ·dPᵢⱼ        dS = P ∘ (dP − D)
 *     dZ = dS ∘ (1 − tanh²(Z/c)) with a softcap c, else dS
 *     dQ = scale · dZ·K        dK = scale · dZᵀ·Q
 *
 * summed over the query heads that share a key/value head. A masked key or value has no influence and gets a gradient of 0,
 * whatever it holds. A NaN or +Infinity score makes that query's dQuery NaN, and dKey and dValue of the keys it sees. A
 * query that may attend to nothing has no gradient; with `emptyRows: 'uniform'` the real values share its dO.
 *
 * @template {Float32Array | Float64Array} [Data=Float32Array]
 * @typedef {object} Gradients
 * @property {import('../tensor.js').Tensor<Data>} dQuery
 * @property {import('../tensor.js').Tensor<Data>} dKey
 * @property {import('../tensor.js').Tensor<Data>} dValue
 */

/** @typedef {Gradients & { report: import('../types.js').Report }} BackwardResult */

export {};
