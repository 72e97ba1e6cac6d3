// The public types of scorings and of functions that change scores. B batch, Hq query heads, nq queries, nk keys, d width
// of a query, dk width of a key.

/** @typedef {import('../tensor-input.js').TensorInput} TensorInput */

/**
 * How a query q [d] and a key k [dk] make a score, before scale, softcap, bias and masks.
 *
 * | kind | score | default scale | source |
 * |---|---|---|---|
 * | `'scaled-dot'` | q·k | 1/√d | Vaswani et al. 2017, "Attention is all you need", eq. 1 |
 * | `'dot'` | q·k | 1 | Luong et al. 2015, "Effective approaches to attention-based neural machine translation", eq. 8 |
 * | `'general'` | q W kᵀ + b | 1 | Luong et al. 2015, eq. 8 |
 * | `'additive'` | v · tanh(Wq q + Wk k) | 1 | Bahdanau et al. 2015, "Neural machine translation by jointly learning to align and translate", A.1.2 |
 * | `'cosine'` | q·k / (\|q\| \|k\|), 0 for a zero vector | 1 | Graves et al. 2014, "Neural Turing machines", eq. 6 |
 * | `'linear'` | w · [q; k] + b | 1 | additive without its hidden layer |
 * | `'trilinear'` | w · [q; k; q∘k] + b | 1 | Seo et al. 2017, "Bidirectional attention flow for machine comprehension", eq. 1 |
 *
 * For `'general'`, `'additive'` and `'linear'`, queries and keys may differ in width. Parameters are float64 and the same
 * for all batch entries and heads. b is 0 unless it is given; a scale is one of b as well.
 *
 * @typedef {{ kind: 'scaled-dot' | 'dot' | 'cosine' } | GeneralScoring | AdditiveScoring | LinearScoring | TrilinearScoring} Scoring
 */

/** @typedef {{ kind: 'general', w: TensorInput, b?: number }} GeneralScoring w [d, dk] */
/** @typedef {{ kind: 'additive', wq: TensorInput, wk: TensorInput, v: TensorInput }} AdditiveScoring wq [a, d], wk [a, dk], v [a] */
/** @typedef {{ kind: 'linear', w: TensorInput, b?: number }} LinearScoring w [d + dk] */
/** @typedef {{ kind: 'trilinear', w: TensorInput, b?: number }} TrilinearScoring w [3·d] */

/**
 * A score for another: query i of head h in batch entry b and key j have `score`, in float64, after scale and softcap.
 * −Infinity forbids, NaN and +Infinity make the row NaN.
 *
 * @typedef {(score: number, b: number, h: number, i: number, j: number) => number} ScoreMod
 */

/**
 * Whether query i of head h in batch entry b may attend to key j.
 *
 * @typedef {(b: number, h: number, i: number, j: number) => boolean} MaskMod
 */

export {};
