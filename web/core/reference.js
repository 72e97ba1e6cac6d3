import { callAttention } from './attention-call.js';

/** @type {import('./attention-call.js').Method<typeof Float64Array, { status: number }>} */
const formula = {
  name: 'reference.attention',
  type: Float64Array,
  returnWeights: true,
  prepare: (raw) => raw._prepareReference,
  run: (raw) => ({ status: raw._reference() }),
};

/**
 * The same call as `attention`, by the formula in float64, weights included.
 * @param {import('./core.js').Core} core
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 */
export const referenceAttention = (core, q, k, v, options) => callAttention(core, formula, q, k, v, options).result;
