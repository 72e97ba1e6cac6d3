// The headless engine: attention computed by the compiled core, in browsers and in Node. Importing this has no effect;
// `loadEngine()` starts it.

export { loadEngine } from './core/load.js';
export { EngineLoadError } from './core/errors.js';

// Types, each described where it is declared. One comment apiece: TypeScript repeats a shared one for each.
/** @typedef {import('./core/types.js').Engine} Engine */
/** @typedef {import('./core/types.js').EngineInfo} EngineInfo */
/** @typedef {import('./core/types.js').EngineOptions} EngineOptions */
/** @typedef {import('./core/types.js').AttentionOptions} AttentionOptions */
/** @typedef {import('./core/types.js').AsyncAttentionOptions} AsyncAttentionOptions */
/** @typedef {import('./core/types.js').TiledAttentionOptions} TiledAttentionOptions */
/** @typedef {import('./core/types.js').AttentionResult} AttentionResult */
/** @typedef {import('./core/types.js').ReferenceResult} ReferenceResult */
/** @typedef {import('./core/types.js').Report} Report */
/** @typedef {import('./core/types.js').ScoreOptions} ScoreOptions */
/** @typedef {import('./core/types.js').MaskOptions} MaskOptions */
/** @typedef {import('./core/types.js').MaskSettings} MaskSettings */
/** @typedef {import('./core/types.js').MaskAfterSoftmaxResult} MaskAfterSoftmaxResult */
/** @typedef {import('./core/types.js').GeometryResult} GeometryResult */
/** @typedef {import('./core/types.js').SoftmaxOptions} SoftmaxOptions */
/** @typedef {import('./core/types.js').LinearAttentionOptions} LinearAttentionOptions */
/**
 * @template {Float32Array | Float64Array} [Data=Float32Array]
 * @typedef {import('./core/types/linear-attention.js').LinearAttentionResult<Data>} LinearAttentionResult
 */
/** @typedef {import('./core/types/kv-cache.js').KvCache} KvCache */
/** @typedef {import('./core/types/kv-cache.js').KvCacheSettings} KvCacheSettings */
/** @typedef {import('./core/types/kv-cache.js').KvCacheOptions} KvCacheOptions */
/** @typedef {import('./core/types/positions.js').Positions} Positions */
/** @typedef {import('./core/types/backward.js').BackwardOptions} BackwardOptions */
/** @typedef {import('./core/types/backward.js').BackwardResult} BackwardResult */
/** @typedef {import('./core/types/multi-head.js').MultiHeadOptions} MultiHeadOptions */
/** @typedef {import('./core/types/multi-head.js').MultiHeadResult} MultiHeadResult */
/** @typedef {import('./core/types/explain.js').Explain} Explain */
/** @typedef {import('./core/types/explain.js').LeaveOneOutResult} LeaveOneOutResult */
/** @typedef {import('./core/types/explain.js').ReplaceValueResult} ReplaceValueResult */
/** @typedef {import('./core/types/explain.js').ExplainGradientResult} ExplainGradientResult */
/** @typedef {import('./core/types/explain.js').EqualOutputWeightsResult} EqualOutputWeightsResult */
/** @typedef {import('./core/types.js').Scoring} Scoring */
/** @typedef {import('./core/types.js').ScoreMod} ScoreMod */
/** @typedef {import('./core/types.js').MaskMod} MaskMod */
/** @typedef {import('./core/types.js').Trace} Trace */
/** @typedef {import('./core/types.js').TensorInput} TensorInput */
/** @typedef {import('./core/types.js').BooleanInput} BooleanInput */
/** @typedef {import('./core/types.js').BooleanTensor} BooleanTensor */
/**
 * @template {Float32Array | Float64Array} [Data=Float32Array]
 * @typedef {import('./core/types.js').Tensor<Data>} Tensor
 */
