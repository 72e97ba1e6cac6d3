// The public types. B batch, Hq query heads, Hk key/value heads, nq queries, nk keys, d key width, dv value width.

/** @typedef {import('./tensor-input.js').TensorInput} TensorInput */
/** @typedef {import('./boolean-input.js').BooleanInput} BooleanInput */
/** @typedef {import('./tensor.js').BooleanTensor} BooleanTensor */
/** @typedef {import('./types/linear-attention.js').LinearAttentionOptions} LinearAttentionOptions */
/** @typedef {import('./types/scoring.js').Scoring} Scoring */
/** @typedef {import('./types/scoring.js').ScoreMod} ScoreMod */
/** @typedef {import('./types/scoring.js').MaskMod} MaskMod */
/** @typedef {import('./types/trace.js').Trace} Trace */
/** @typedef {import('./types/multi-head.js').MultiHeadOptions} MultiHeadOptions */

/**
 * @template {Float32Array | Float64Array} [Data=Float32Array]
 * @typedef {import('./types/linear-attention.js').LinearAttentionResult<Data>} LinearAttentionResult
 */

/**
 * @template {Float32Array | Float64Array} [Data=Float32Array]
 * @typedef {import('./tensor.js').Tensor<Data>} Tensor
 */

/**
 * `simd` gives the same bits on every machine, and so does `scalar`. `relaxed` leaves it to the machine
 * whether a product is rounded before it is added (WebAssembly's relaxed SIMD), which is faster where the machine has a
 * fused multiply-add: errors keep the same bound, but the last digits may differ from one machine to another. It is only
 * used where it is asked for.
 * @typedef {'simd' | 'scalar' | 'relaxed'} Variant
 */

/**
 * @typedef {object} EngineOptions
 * @property {import('./wasm-module.js').WasmInput} [wasm] the compiled core: a URL, its bytes, a `Response` or a
 *   compiled module. Default: the one inside this package, which needs no request of its own.
 * @property {'auto' | Variant} [variant] default `'auto'`: SIMD where it is supported, else scalar; never relaxed
 * @property {number} [threads] how many workers `attentionAsync` may compute a call on, a whole number of at least 1; more
 *   than 16 count as 16. Default 1. Each takes memory of its own; more than the machine has cores gain nothing.
 */

/**
 * Which keys a query may attend to. All restrictions that are given hold together; `true` always means "may attend".
 * A masked key or value has no influence, whatever it holds.
 *
 * @typedef {object} MaskOptions
 * @property {boolean} [causal] default false. Key j is visible to query i if j ≤ i + queryOffset.
 * @property {number} [queryOffset] the position of query 0 on the keys' axis, a whole number. Default nk − nq: the
 *   queries are the tail of the keys. 0 aligns the first query with the first key.
 * @property {number | { left: number, right: number }} [window] A whole number w ≥ 1: |i + queryOffset − j| < w, so w
 *   counts the query's own position. Or the reach to each side, ≥ 0 or Infinity:
 *   i + queryOffset − left ≤ j ≤ i + queryOffset + right.
 * @property {readonly number[]} [keyLengths] [B], whole numbers from 0 to nk: only the first keyLengths[b] keys are real
 * @property {BooleanInput} [allowKeys] [nk] or [B, nk]
 * @property {BooleanInput} [allow] broadcast from the right to [B, Hq, nq, nk]
 * @property {{ size: readonly [number, number], allow: readonly (readonly boolean[])[] }} [blocks] Block-sparse:
 *   `size` [queries, keys] per block, `allow` [⌈nq/queries⌉, ⌈nk/keys⌉]. Forbidden blocks cost no time.
 * @property {MaskMod} [maskMod] Called for every cell that the other masks let be visible, before anything is computed:
 *   exact, but as slow as that many calls, and with nq·nk bytes of memory per head.
 */

/**
 * What the softmax sees: s = scale · q·k or the scale times another score, then s = c·tanh(s/c) with a softcap c, then
 * s = scoreMod(s, …), then s + bias, then −∞ where masked.
 *
 * @typedef {object} ScoreSettings
 * @property {number} [scale] default 1/√d, or 1 with a `scoring` other than `'scaled-dot'`. It replaces the default; 0
 *   gives uniform weights.
 * @property {Scoring} [scoring] how a query and a key make a score; default `{ kind: 'scaled-dot' }`
 * @property {number} [softcap] above 0. Default: none.
 * @property {ScoreMod} [scoreMod] Called for every visible cell, before anything else is computed: exact, but as slow as
 *   that many calls, and with 8·nq·nk bytes of memory per head.
 * @property {TensorInput} [bias] in the precision of the call, broadcast from the right to [B, Hq, nq, nk]; −Infinity forbids
 */

/** @typedef {ScoreSettings & MaskOptions} ScoreOptions */

/**
 * @typedef {object} RowSettings
 * @property {'zero' | 'nan' | 'uniform'} [emptyRows] What a query that may attend to nothing gets. `'zero'`, the
 *   default: weights and output 0; `'nan'`: NaN; `'uniform'`: the mean of all real keys' values. logSumExp is
 *   −Infinity, with `'nan'` NaN.
 * @property {{ queries: number, keys: number }} [tile] default automatic; results agree within 1e-6 whatever it is
 * @property {boolean} [returnWeights] also return `weights`, nq·nk numbers per head. Default false, for the reference true.
 * @property {boolean} [returnScores] also return `scores`. Default false.
 * @property {boolean} [returnLogSumExp] also return `logSumExp`. Default false.
 * @property {Out | Floats | { readonly data: Floats }} [out] Write the numbers into memory that is there: the tensors of the result
 *   have it as their data. For calls in a loop, in which new memory can cost as much as a small call (16 KiB) and a tenth of
 *   a large one; how much depends on the system. An array or a tensor is for `output` alone. Default: new memory for every result.
 */

/**
 * The result of an earlier call with outputs of the same sizes, whose numbers change then, or its tensors or arrays by name,
 * apart from each other in memory; they may be inputs of the call. An output that is not there gets new memory, and what the
 * call does not return stays as it is. A refused call leaves them as they were, but one of `attentionAsync` may have written
 * some by then.
 *
 * @typedef {Partial<Record<'output' | 'weights' | 'scores' | 'logSumExp' | 'heads', Floats | { readonly data: Floats }> & { report: Report, trace: Trace }>} Out
 */

/** Of the precision of the call. @typedef {Float32Array | Float64Array} Floats */

/** @typedef {ScoreOptions & RowSettings} AttentionOptions */

/**
 * @typedef {object} TraceSettings
 * @property {boolean} [trace] also return `trace`: the running maximum, sum and output after every tile, for teaching. At
 *   most 10⁶ numbers. Default false.
 */

/** @typedef {AttentionOptions & TraceSettings} TiledAttentionOptions */

/**
 * @typedef {object} AsyncSettings
 * @property {AbortSignal} [signal] Aborting it rejects the call with the signal's reason.
 * @property {(done: number) => void} [onProgress] Called with the share that is done, growing up to 1.
 */

/** @typedef {AttentionOptions & AsyncSettings} AsyncAttentionOptions */

/**
 * The outputs of a call, in the order of the input's axes; without heads or batch in the input, without them here.
 *
 * `output` [B, Hq, nq, dv]; `weights` [B, Hq, nq, nk], the softmax of the scores: rows sum to 1, exactly 0 where masked;
 * `scores` [B, Hq, nq, nk], what the softmax saw: −Infinity where masked; `logSumExp` [B, Hq, nq], the natural logarithm
 * of Σ exp(score). All but `output` only if asked for.
 *
 * @template {Float32Array | Float64Array} Data
 * @template Weights
 * @template Scores
 * @template LogSumExp
 * @typedef {{ output: Tensor<Data> } & When<Weights, { weights: Tensor<Data> }> & When<Scores, { scores: Tensor<Data> }>
 *   & When<LogSumExp, { logSumExp: Tensor<Data> }>} AttentionTensors
 */

/**
 * There for sure if the option is `true`; perhaps, if only its type is known.
 * @template Option
 * @template Result
 * @typedef {Option extends true ? Result : Partial<Result>} When
 */

/**
 * @template {TiledAttentionOptions} [Options=TiledAttentionOptions]
 * @typedef {AttentionTensors<Float32Array, Options['returnWeights'], Options['returnScores'], Options['returnLogSumExp']>
 *   & When<Options['trace'], { trace: Trace }> & { report: Report }} AttentionResult
 */

/**
 * With the weights, unless they were declined.
 * @template {AttentionOptions} [Options=AttentionOptions]
 * @typedef {AttentionTensors<Float64Array, Options['returnWeights'] extends false ? false : true, Options['returnScores'],
 *   Options['returnLogSumExp']>} ReferenceResult
 */

/**
 * What a call was and what it took.
 *
 * @typedef {object} Report
 * @property {number} queryHeads
 * @property {number} kvHeads
 * @property {number} headDim width of a query, and of a key unless the scoring lets it differ
 * @property {number} valueDim
 * @property {number | { left: number, right: number } | null} window as given; null: none
 * @property {'f32' | 'f16'} dtype what keys and values were kept in; all is computed in float32
 * @property {string} kernel the instruction set of the kernel
 * @property {number} flops multiplications and additions of the two products per cell, in the tiles visited; those of
 *   vectors as a scoring has projected them
 * @property {number} tilesVisited
 * @property {number} tilesSkipped tiles in which nothing is visible
 * @property {number} workingBytes memory beyond inputs and outputs, of all threads together
 * @property {number} threads how many computed the call
 */

/** @typedef {{ queries: number, keys: number, heads?: number, batch?: number } & MaskOptions} MaskSettings */

/**
 * @typedef {object} MaskAfterSoftmaxResult
 * @property {Tensor<Float64Array>} weights the softmax of all scores, 0 where forbidden
 * @property {Tensor<Float64Array>} rowSums what is left of each row, at most 1
 * @property {Tensor<Float64Array>} renormalised weights / rowSums, 0 where nothing is left
 */

/**
 * @typedef {object} GeometryResult
 * @property {number} queryLength |q|
 * @property {Tensor<Float64Array>} keyLengths [nk]: |k|
 * @property {Tensor<Float64Array>} dots [nk]: q·k
 * @property {Tensor<Float64Array>} angles [nk]: between q and k, radians from 0 to π; NaN where either is zero
 */

/**
 * Default: float32 with the maximum subtracted, summed in float64; a NaN or +Infinity makes its row NaN, −Infinity gives
 * exactly 0, a row of −Infinity alone 0s. The other settings show what goes wrong: they round to the precision after
 * every step (input, difference, exponential, sum so far, quotient), to nearest, ties to even, to Infinity beyond the
 * largest number. So exp(12) without the maximum is Infinity in `'f16'`, and its weight NaN.
 *
 * @typedef {object} SoftmaxOptions
 * @property {'f32' | 'f16' | 'bf16'} [precision] float32, IEEE half or bfloat16. Default `'f32'`.
 * @property {boolean} [stable] Subtract the row's maximum first. Default true; false takes exp(x) / Σ exp(x) as it reads.
 */

/**
 * @typedef {object} EngineInfo
 * @property {string} version of this package
 * @property {Variant} variant
 * @property {boolean} simd
 * @property {boolean} relaxed whether roundings may differ between machines
 * @property {number} threads the most that `attentionAsync` computes a call on; fewer than asked for once some workers could
 *   not be started
 * @property {number} memoryBytes size of the module's memory now
 */

/**
 * @typedef {object} Reference
 * @property {(q: TensorInput, k: TensorInput, v: TensorInput, dOutput: TensorInput, options?: import('./types/backward.js').BackwardOptions) => import('./types/backward.js').Gradients<Float64Array>} attentionBackward
 * @property {<Options extends MultiHeadOptions>(x: TensorInput, options: Options) => import('./types/multi-head.js').ReferenceMultiHeadResult<Options>} multiHeadAttention
 * @property {<Options extends AttentionOptions>(q: TensorInput, k: TensorInput, v: TensorInput, options?: Options) => ReferenceResult<Options>} attention
 * @property {(q: TensorInput, k: TensorInput, v: TensorInput, options?: LinearAttentionOptions) => LinearAttentionResult<Float64Array>} linearAttention
 *   By the weights of all values in all outputs, in O(n²).
 * @property {(q: TensorInput, k: TensorInput, options?: ScoreOptions) => Tensor<Float64Array>} scores
 */

// Options have no default type below: TypeScript would take the parameters of inline functions from it, not from the constraint.

/**
 * Attention, computed by the compiled core. Inputs are never modified; results own their memory. Every refusal is a
 * `TypeError` or `RangeError` that names the argument, what was expected and what came; the next call works.
 *
 * @typedef {object} Engine
 * @property {<Options extends TiledAttentionOptions>(q: TensorInput, k: TensorInput, v: TensorInput, options?: Options) => AttentionResult<Options>} attention
 *   softmax(scale · q·kᵀ) · v (Vaswani et al. 2017, eq. 1) in float32, tile by tile (Dao et al. 2022). q
 *   [B, Hq, nq, d], k [B, Hk, nk, d], v [B, Hk, nk, dv], all of rank 2 (length, width), 3 (heads first) or 4 (batch
 *   first). Hq is a multiple of Hk and query head h reads key/value head ⌊h·Hk/Hq⌋. Other scores by `scoring`.
 * @property {<Options extends AsyncAttentionOptions>(q: TensorInput, k: TensorInput, v: TensorInput, options?: Options) => Promise<AttentionResult<Options>>} attentionAsync
 *   `attention` in a worker, to the same bits: the page goes on meanwhile. The arguments are read before this returns, and
 *   stay as they are. Calls are computed one after another. Refusals reject the promise. With `loadEngine({ threads })` a
 *   large call (some 70 million operations) is split among several workers by heads and tiles of queries, to the same bits
 *   again; they share the inputs if the page is cross-origin isolated, and get copies of what they need if not. Results
 *   never lie in shared memory. Where no worker can be started (a content policy without `blob:`), the call is computed on
 *   the main thread in short slices.
 * @property {(q: TensorInput, k: TensorInput, v: TensorInput, dOutput: TensorInput, options?: import('./types/backward.js').BackwardOptions) => import('./types/backward.js').BackwardResult} attentionBackward
 *   The gradients of a loss with respect to q, k and v, from its gradient with respect to the output, which has the
 *   output's shape. In float32; weights are computed once more by tiles, so memory grows with nq + nk, not with nq·nk.
 * @property {<Options extends MultiHeadOptions>(x: TensorInput, options: Options) => import('./types/multi-head.js').MultiHeadResult<Options>} multiHeadAttention
 *   [head₀, head₁, …]·wo + bo, where headₕ is the attention of x·wq + bq to context·wk + bk and context·wv + bv, each in
 *   its own columns (Vaswani et al. 2017, section 3.2.2). x [nq, m] or [B, nq, m].
 * @property {import('./types/explain.js').Explain} explain
 *   What an output depends on: keys left out, values replaced, gradients, other weights with the same output.
 * @property {(settings: import('./types/kv-cache.js').KvCacheSettings) => import('./types/kv-cache.js').KvCache} createKvCache
 *   Keys and values of all positions so far, for attending a token or a chunk at a time.
 * @property {(q: TensorInput, k: TensorInput, options?: ScoreOptions) => Tensor} scores
 *   The score matrix alone, [B, Hq, nq, nk]: computed in float64 and rounded once.
 * @property {(settings: MaskSettings) => BooleanTensor} mask
 *   The mask that these options mean, for looking at or for `allow`: [queries, keys], with `heads` or `batch`
 *   [heads, queries, keys] or [batch, heads, queries, keys].
 * @property {(x: TensorInput, options?: SoftmaxOptions) => Tensor} softmax
 *   exp(x − max) / Σ exp(x − max) along the last axis, in float32. Rank 1 to 4.
 * @property {(q: TensorInput, k: TensorInput, v: TensorInput, options?: LinearAttentionOptions) => LinearAttentionResult} linearAttention
 *   Linear attention: by a kernel in place of the softmax (Katharopoulos et al. 2020), or by one of the update rules of
 *   the ONNX operator. q [B, Hq, nq, d], k [B, Hk, nk, d], v [B, Hk, nk, dv] as for `attention`; time O(n·d·dv).
 * @property {import('./types/positions.js').Positions} positions
 *   Ways to tell attention the order of its keys.
 * @property {(x: TensorInput) => Tensor<Float64Array>} rowSums
 *   The sum along the last axis, in float64. Rank 2 to 4.
 * @property {(scores: TensorInput, allow: BooleanInput) => MaskAfterSoftmaxResult} maskAfterSoftmax
 *   Masking at the wrong moment, to be looked at: rows no longer sum to 1. In float64; `allow` has the shape of `scores`.
 * @property {(query: TensorInput, keys: TensorInput) => GeometryResult} geometry
 *   Lengths and angles behind q·k = |q| |k| cos(angle), in float64. query [d], keys [nk, d].
 * @property {Reference} reference
 *   The same calls by the formula in float64: the yardstick.
 * @property {EngineInfo} info
 * @property {() => void} dispose frees the instance; whoever shares this engine loses it too
 */

export {};
