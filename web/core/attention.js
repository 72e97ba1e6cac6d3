import { callAttention } from './attention-call.js';

/** @type {import('./attention-call.js').Method<typeof Float32Array, import('./raw.js').RawReport>} */
const tiled = {
  name: 'attention',
  type: Float32Array,
  returnWeights: false,
  prepare: (raw) => raw._prepareAttention,
  run: (raw) => raw._attention(),
};

/**
 * output = softmax(scale · q · kᵀ) · v, in float32 by tiles.
 * @param {import('./core.js').Core} core
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 * @returns {import('./types.js').AttentionResult}
 */
export function attention(core, q, k, v, options) {
  const { result, shape, settings, run } = callAttention(core, tiled, q, k, v, options);
  return {
    ...result,
    report: {
      queryHeads: shape.queryHeads,
      kvHeads: shape.kvHeads,
      headDim: shape.keyDim,
      valueDim: shape.valueDim,
      window: settings.window,
      dtype: 'f32',
      kernel: core.kernel,
      flops: run.flops,
      tilesVisited: run.tilesVisited,
      tilesSkipped: run.tilesSkipped,
      workingBytes: run.workingBytes,
    },
  };
}
