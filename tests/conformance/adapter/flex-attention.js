import { build } from './tensors.js';

/** @typedef {import('./tensors.js').Values} Values */
/** @typedef {(score: number, b: number, h: number, i: number, j: number) => number} ScoreMod */

/**
 * ONNX FlexAttention and PyTorch's flex_attention: a function of every score. One of the probabilities has no counterpart
 * in the engine; where it only multiplies them, the values are multiplied in their place.
 * @param {import('../cases.js').Case} given @param {Record<string, Values>} outputs @returns {import('./adapter.js').Call[]}
 */
export function flexAttention({ attrs: { scale, score_mod: scoreMod, prob_mod: probMod }, inputs: { Q: q, K: k, V } }, { Y }) {
  if (probMod && probMod.kind !== 'multiply') throw new Error(`prob_mod ${probMod.kind}: expected multiply`);
  const v = probMod ? build(V.shape, (index) => probMod.value * V.data[index.reduce((place, i, axis) => place * V.shape[axis] + i, 0)]) : V;
  const options = { ...(scale !== undefined && { scale }), ...(scoreMod && { scoreMod: modOf(scoreMod) }) };
  return [{ method: 'attention', inputs: { q, k, v }, options, expected: { output: Y } }];
}

/**
 * The function, and beside it what it does, for those who cannot call it.
 * @param {{ kind: string, value?: number }} mod
 */
function modOf({ kind, value = 0 }) {
  if (!(kind in kinds)) throw new Error(`score_mod ${kind}: expected one of ${Object.keys(kinds).join(', ')}`);
  return Object.assign(kinds[kind](value), { meaning: { kind, value } });
}

/** @type {Record<string, (value: number) => ScoreMod>} */
const kinds = {
  add: (value) => (score) => score + value,
  relative_position: () => (score, _b, _h, i, j) => score + i - j,
  softcap: (value) => (score) => value * Math.tanh(score / value),
  causal: () => (score, _b, _h, i, j) => (i >= j ? score : -Infinity),
};
