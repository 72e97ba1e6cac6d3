import { build } from './tensors.js';

/** @typedef {import('./tensors.js').Values} Values */

/**
 * Attention with a change of the scores, as a function and as the options that mean the same, or of the weights.
 * @param {import('../cases.js').Case} given @param {Record<string, Values>} outputs @returns {import('./adapter.js').Call[]}
 */
export function flexAttention({ attrs, inputs: { Q: q, K: k, V } }, { Y: output }) {
  const { scale, score_mod: scores, prob_mod: weights } = attrs;
  if (weights && weights.kind !== 'multiply') throw new Error(`prob_mod: expected multiply, got ${weights.kind}`);
  // Weights times a number are values times that number.
  const v = weights ? { shape: V.shape, data: V.data.map((value) => value * weights.value) } : V;
  const changes = scores ? kinds[scores.kind](scores, q.shape[2], k.shape[2]) : [{}];
  return changes.map((change) => ({ method: 'attention', inputs: { q, k, v }, options: { ...(scale !== undefined && { scale }), ...change }, expected: { output } }));
}

/** @typedef {(score: number, b: number, h: number, i: number, j: number) => number} ScoreMod */

/** @type {Record<string, (mod: Record<string, any>, queries: number, keys: number) => Record<string, any>[]>} */
const kinds = {
  add: ({ value }) => [{ scoreMod: (/** @type {number} */ score) => score + value }, { bias: build([1], () => value) }],
  relative_position: (_, queries, keys) => [
    { scoreMod: /** @type {ScoreMod} */ ((score, b, h, i, j) => score + (i - j)) },
    { bias: build([queries, keys], ([i, j]) => i - j) },
  ],
  softcap: ({ value }) => [{ scoreMod: (/** @type {number} */ score) => value * Math.tanh(score / value) }, { softcap: value }],
  causal: ({ alignment }, queries, keys) => {
    const queryOffset = alignment === 'bottom_right' ? keys - queries : 0;
    return [
      { causal: true, queryOffset },
      { maskMod: (/** @type {number[]} */ ...[, , i, j]) => j <= i + queryOffset },
      { scoreMod: /** @type {ScoreMod} */ ((score, b, h, i, j) => (j <= i + queryOffset ? score : -Infinity)) },
    ];
  },
};
