import { callAttention } from './attention-call.js';
import { tiledOptions } from './options.js';

/** @typedef {import('./raw.js').RawReport} RawReport */

/** @type {import('./attention-call.js').Method<typeof Float32Array, RawReport>} */
export const tiled = {
  name: 'attention',
  type: Float32Array,
  returnWeights: false,
  known: tiledOptions,
  prepare: (raw, bytes) => raw._prepareAttention(bytes),
  run: (raw) => raw._attention(),
};

/**
 * output = softmax(scores) · v, scores = scale · q · kᵀ or as the options say, in float32 by tiles.
 * @param {import('./core.js').Core} core
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 * @returns {import('./types.js').AttentionResult}
 */
export function attention(core, q, k, v, options) {
  const { result, plan, run } = callAttention(core, tiled, q, k, v, options);
  return { ...result, report: reportOf(core, plan, run) };
}

/**
 * @param {import('./core.js').Core} core
 * @param {Pick<import('./attention-call.js').Plan, 'shape' | 'settings'>} plan
 * @param {RawReport & { threads?: number }} run
 * @param {'f32' | 'f16'} [dtype]
 * @returns {import('./types.js').Report}
 */
export const reportOf = (core, { shape, settings }, run, dtype = 'f32') => ({
  queryHeads: shape.queryHeads,
  kvHeads: shape.kvHeads,
  headDim: shape.queryDim,
  valueDim: shape.valueDim,
  window: settings.window,
  dtype,
  kernel: core.kernel,
  flops: run.flops,
  tilesVisited: run.tilesVisited,
  tilesSkipped: run.tilesSkipped,
  workingBytes: run.workingBytes,
  threads: run.threads ?? 1,
});
