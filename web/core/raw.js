/**
 * The functions that `cpp/bindings` registers, as JavaScript sees them. Addresses are numbers.
 *
 * @typedef {object} RawCore
 * @property {(bytes: number) => number} _reserve room for a call's tensors; 0 if it cannot be had
 * @property {() => number} _memoryLimit
 * @property {() => string} _version
 * @property {() => boolean} _simd
 * @property {() => boolean} _relaxed whether the machine decides how sums of products are rounded
 * @property {() => string} _kernelName
 * @property {() => number} _description where the description of the next call is expected
 * @property {(bytes: number) => number} _prepareAttention like every other `_prepare…`: reserves the memory of the call that was described; the address its places count from, or 0 if it cannot be had
 * @property {() => RawReport} _attention
 * @property {(first: number, last: number) => RawReport} _attentionPart those query tiles of the call that was prepared
 * @property {(settings: RawCacheSettings) => number} _createCache its address; 0 if the memory cannot be had
 * @property {(cache: number) => number} _forkCache likewise
 * @property {(cache: number) => void} _disposeCache
 * @property {(cache: number) => { length: number, firstKey: number, bytes: number, sharedBytes: number }} _cacheState
 * @property {(cache: number, count: number, bytes: number) => number} _prepareAppend as `_reserve`
 * @property {(cache: number, key: number, value: number, count: number) => number} _append a status
 * @property {(cache: number, bytes: number) => number} _prepareAttend
 * @property {(cache: number) => RawReport} _attend
 * @property {(bytes: number) => number} _prepareReference
 * @property {() => number} _reference a status
 * @property {(shape: import('./inputs.js').CallShape, queries: number, keys: number) => { queries: number, keys: number }} _tileSize the tile that is used where this one is asked for; 0: automatic
 * @property {(bytes: number) => number} _prepareReferenceScores
 * @property {() => number} _referenceScores a status
 * @property {(bytes: number) => number} _prepareScores
 * @property {() => number} _scores a status
 * @property {(bytes: number) => number} _prepareMask
 * @property {() => number} _mask a status
 * @property {(bytes: number) => number} _prepareBackward the gradient of the output is `output`, an input
 * @property {(dQuery: number, dKey: number, dValue: number) => RawReport} _backward
 * @property {(bytes: number) => number} _prepareReferenceBackward
 * @property {(dQuery: number, dKey: number, dValue: number) => number} _referenceBackward a status
 * @property {(dQuery: number, dKey: number, dValue: number) => number} _explainGradient a status; prepared as for the reference
 * @property {PrepareMultiHead} _prepareMultiHead
 * @property {(...places: LayerPlaces) => RawReport} _multiHead
 * @property {PrepareMultiHead} _prepareReferenceMultiHead
 * @property {(...places: LayerPlaces) => number} _referenceMultiHead a status
 * @property {(wq: number, wk: number, bq: number, bk: number, query: number, key: number) => number} _projectQueriesAndKeys a status; prepared as for the reference
 * @property {(bytes: number) => number} _prepareLeaveOneOut
 * @property {(without: number, difference: number) => number} _leaveOneOut a status
 * @property {(bytes: number) => number} _prepareReplaceValue
 * @property {(key: number, value: number, after: number, difference: number) => number} _replaceValue a status
 * @property {(keys: number, valueDim: number, bytes: number) => number} _prepareEqualOutputWeights
 * @property {(weights: number, values: number, allow: number, keys: number, valueDim: number, others: number, output: number, found: number) => number} _equalOutputWeights a status; three numbers at `found`: exists, farthest, distance
 * @property {(x: number, rows: number, columns: number, precision: number, stable: boolean, y: number) => void} _softmax
 * @property {(shape: import('./inputs.js').CallShape, bytes: number) => number} _prepareLinearAttention
 * @property {RunLinearAttention} _linearAttention
 * @property {(shape: import('./inputs.js').CallShape, bytes: number) => number} _prepareReferenceLinearAttention
 * @property {RunLinearAttention} _referenceLinearAttention
 * @property {(x: number, heads: number, length: number, width: number, dims: number, base: number, offset: number, interleaved: boolean, y: number) => void} _rope
 * @property {(heads: number, queries: number, keys: number, queryOffset: number, bias: number) => void} _alibi
 * @property {(length: number, width: number, base: number, offset: number, y: number) => void} _sinusoidal
 * @property {(matrix: number, rows: number, columns: number, sums: number) => void} _rowSums
 * @property {(scores: number, allow: number, rows: number, columns: number, weights: number, sums: number, renormalised: number) => void} _maskAfterSoftmax
 * @property {(query: number, keys: number, keyCount: number, dim: number, queryLength: number, keyLengths: number, dots: number, angles: number) => void} _geometry
 */

/** @typedef {(raw: RawCore, bytes: number) => number} Prepare */

/**
 * Multi-head attention: the widths of x, of what keys and values are made from, and of the output (0: no `wo`).
 * @typedef {(queryWidth: number, keyWidth: number, valueWidth: number, outputWidth: number, bytes: number) => number} PrepareMultiHead
 * @typedef {[wq: number, wk: number, wv: number, wo: number, bq: number, bk: number, bv: number, bo: number, heads: number]} LayerPlaces 0: not there
 */

/**
 * A status.
 * @typedef {(shape: import('./inputs.js').CallShape, call: import('./linear-attention.js').LinearAttentionCall, base: number) => number} RunLinearAttention
 */

/**
 * NaN: not given; Infinity: no limit.
 * @typedef {{ batch: number, kvHeads: number, keyDim: number, valueDim: number, half: boolean, windowLeft: number, windowRight: number, capacity: number }} RawCacheSettings
 */

/** @typedef {{ status: number, flops: number, tilesVisited: number, tilesSkipped: number, workingBytes: number }} RawReport */

/**
 * The factory that the compiler generates. It fills in and resolves to the object it is given.
 * @typedef {(options: { printErr: () => void, instantiateWasm: InstantiateWasm }) => Promise<RawCore>} CreateModule
 * @typedef {(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void) => object} InstantiateWasm
 */

export {};
