import { callAttention } from './attention-call.js';
import { attentionOptions } from './options.js';
import { callScores } from './scores.js';

/** @type {import('./attention-call.js').Method<typeof Float64Array, { status: number }>} */
const formula = {
  name: 'reference.attention',
  type: Float64Array,
  returnWeights: true,
  known: attentionOptions,
  prepare: (raw, bytes) => raw._prepareReference(bytes),
  run: (raw) => ({ status: raw._reference() }),
};

/**
 * The same call as `attention`, by the formula in float64, weights included.
 * @param {import('./core.js').Core} core
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 */
export const referenceAttention = (core, q, k, v, options) => callAttention(core, formula, q, k, v, options).result;

/** @type {import('./scores.js').ScoreMethod<typeof Float64Array>} */
const formulaOfScores = {
  name: 'reference.scores',
  type: Float64Array,
  prepare: (raw, bytes) => raw._prepareReferenceScores(bytes),
  run: (raw) => raw._referenceScores(),
};

/**
 * The same call as `scores`, by the formula in float64.
 * @param {import('./core.js').Core} core
 * @param {unknown} q @param {unknown} k @param {unknown} options
 */
export const referenceScores = (core, q, k, options) => callScores(core, formulaOfScores, q, k, options);
