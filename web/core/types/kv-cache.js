// The public types of the key/value cache. Letters as in ../types.js; m: keys in one append.

/** @typedef {import('../tensor-input.js').TensorInput} TensorInput */
/** @typedef {import('../types.js').AttentionOptions} AttentionOptions */

/**
 * @template {KvCacheOptions} [Options=KvCacheOptions]
 * @typedef {import('../types.js').AttentionResult<Options>} AttentionResult
 */

/**
 * @typedef {object} KvCacheSettings
 * @property {number} [batch] default 1
 * @property {number} kvHeads Hk. Queries may have any multiple of it as heads.
 * @property {number} headDim d, the width of a key
 * @property {number} valueDim dv, the width of a value
 * @property {number | { left: number, right: number }} [window] As the option of `attention`; it holds in every
 *   `attend`. Keys that no query at the position of the last `append` or after it can see are let go, 64 at a time, so
 *   memory stays constant however many keys are appended.
 * @property {'f32' | 'f16'} [dtype] What keys and values are kept in, default `'f32'`. `'f16'` takes half the memory:
 *   each number is rounded to the nearest half, which moves it by at most 2⁻¹¹ = 0.05 % of its size (below 2⁻¹⁴ in size:
 *   by at most 2⁻²⁵), and numbers beyond 65504 are refused. So a score moves by at most 2⁻¹¹·scale·Σ|qᵢkᵢ|, and the output
 *   by 2⁻¹¹ of the largest |v|, plus what the scores move the weights by. All is computed in float32.
 * @property {number} [capacity] The most keys, whose memory is reserved at once, which makes later reads faster; with a
 *   window, the most that have to be kept: those within reach to the left of the first key appended, and the appended. A
 *   fork has the limit, but reserves nothing. Memory is reserved in pieces for up to 4,096 keys, and a piece is given back
 *   when no cache uses any of it: a fork keeps those that its prefix lies in. Default: no limit but memory.
 */

/**
 * Options of `attention` but for `tile`, `scoreMod` and `trace`; `window` only if the cache has none; a `scoring` takes
 * queries as wide as the keys. The defaults are those of `attention` too: `causal` is false, `queryOffset` is length − nq.
 * Masks count keys by position, from the first ever appended to the last, `length` of them.
 * @typedef {Omit<AttentionOptions, 'tile' | 'scoreMod'>} KvCacheOptions
 */

/**
 * Keys and values of all positions so far, for attending a token or a chunk at a time:
 *
 *     append(k, v) adds the keys and values of positions n … n + m − 1
 *     attend(q)    output = softmax(scale · q·Kᵀ) · V over all keys K and values V so far
 *
 * Appending chunks of any sizes and attending with the queries of each (`causal: true`) gives what one causal pass over
 * all gives, within 1e-6: close, but not the same bits. With one query per head, keys and values are read once for all
 * query heads of a group. Memory: 2·B·Hk·n·d numbers of 4 bytes (`'f16'`: 2) if d = dv, whatever the number of query
 * heads, in pages of 64 positions. Like those of the engine, its methods need no `this`.
 *
 * @typedef {object} KvCache
 * @property {(k: TensorInput, v: TensorInput) => void} append k [B, Hk, m, d] and v [B, Hk, m, dv]; the batch axis may be
 *   absent if B = 1, and both batch and heads if Hk = 1 too. If it is refused, the cache is as it was.
 * @property {<Options extends KvCacheOptions>(q: TensorInput, options?: Options) => AttentionResult<Options>} attend
 *   q [B, Hq, nq, d], batch and heads absent as above. The same result as that of `attention`; `report.dtype` is that of
 *   the cache. With a window, weights and scores of keys that were let go are those of masked ones, and a query that
 *   could see such a key is refused.
 * @property {() => KvCache} fork Another cache with the same contents, in the same memory: what either appends is not
 *   seen by the other. A page that both have is copied when one of them first writes to it.
 * @property {number} length n, the positions appended
 * @property {number} bytes B·Hk·(d + dv)·4 (or 2) for every key that is there
 * @property {number} sharedBytes how much of that is in pages that a fork, or what this is a fork of, has as well
 * @property {() => void} dispose Gives the memory back. A cache that is forgotten is disposed of in time; so are all
 *   caches of an engine with it.
 */

export {};
