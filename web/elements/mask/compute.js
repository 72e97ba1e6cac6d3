// Every number of attn-mask, from the engine.

import { inputs, replaceToken } from './inputs.js';
import { restrictions } from './rules.js';
import { checkedSize } from './size.js';

/** @typedef {import('./schema.js').MaskState} MaskState */
/** @typedef {import('../engine.js').Engine} Engine */

/**
 * @typedef {object} Compared  what comes of zeroing masked weights after the softmax
 * @property {number[][]} softmax  of all scores, masked ones too
 * @property {number[][]} zeroed @property {number[]} rowSums  below 1 where a masked key had taken weight
 * @property {number[][]} renormalised @property {boolean} sameAsMasked  whether these are the weights of masking before the softmax
 */

/**
 * @typedef {object} MaskResult
 * @property {number[][]} scores  before masking
 * @property {boolean[][]} allow
 * @property {number[][]} weights @property {number[]} rowSums @property {number[][]} output
 * @property {number[][]} values
 * @property {Compared | null} compared
 * @property {{ output: number[][], same: boolean[] } | null} before  the outputs before a token was replaced, and which of them are bit for bit the same
 */

/**
 * @param {Engine} engine @param {MaskState} state
 * @returns {MaskResult}
 */
export function compute(engine, state) {
  const size = checkedSize(state);
  const mask = restrictions(state, size);
  const given = inputs(state, size);
  const now = state.replaced === null ? given : replaceToken(given, state.replaced);
  const attend = (/** @type {import('./inputs.js').Inputs} */ { q, k, v, scale }) => {
    const { weights, output } = engine.attention(q, k, v, { ...mask, scale, emptyRows: state.emptyRows, returnWeights: true });
    return { weights: /** @type {import('../../index.js').Tensor} */ (weights), output };
  };

  const scores = engine.scores(now.q, now.k, { scale: now.scale });
  const allow = engine.mask({ ...size, ...mask });
  const { weights, output } = attend(now);
  const outputs = output.toNested();
  return {
    scores: scores.toNested(),
    allow: allow.toNested(),
    weights: weights.toNested(),
    rowSums: Array.from(engine.rowSums(weights).data),
    output: outputs,
    values: now.v,
    compared: state.compare ? compared(engine, scores, allow, weights) : null,
    before: now === given ? null : unchanged(attend(given).output.toNested(), outputs),
  };
}

/** Weights are float32, so two ways to the same weight may differ in the last bits. */
const SAME = 1e-6;

/** @param {Engine} engine @param {any} scores @param {any} allow @param {import('../../index.js').Tensor} masked @returns {Compared} */
function compared(engine, scores, allow, masked) {
  const { weights, rowSums, renormalised } = engine.maskAfterSoftmax(scores, allow);
  return {
    softmax: engine.softmax(scores).toNested(),
    zeroed: weights.toNested(),
    rowSums: Array.from(rowSums.data),
    renormalised: renormalised.toNested(),
    sameAsMasked: masked.data.every((weight, at) => Math.abs(weight - renormalised.data[at]) < SAME),
  };
}

/** @param {number[][]} output @param {number[][]} now */
function unchanged(output, now) {
  return { output, same: output.map((row, i) => row.every((value, at) => Object.is(value, now[i][at]))) };
}
