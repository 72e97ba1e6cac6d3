// Attention as one would write it down in JavaScript, without WebAssembly.
import { allows, reach } from '../suite/problem.js';
import { Unable } from './contestant.js';

/** Scores of one query, then weights, then the mix of the values. @param {import('../suite/problem.js').Problem} problem @returns {Float32Array[]} */
function attention(problem) {
  const { heads, kvHeads, queries, keys, width, valueWidth, q, k, v, bias } = problem;
  const flags = problem.allow ?? problem.blockAllow;
  const output = new Float32Array(heads * queries * valueWidth);
  const weights = new Float32Array(keys);
  const scale = 1 / Math.sqrt(width);
  for (let h = 0; h < heads; h++) {
    const kvHead = Math.floor((h * kvHeads) / heads);
    for (let i = 0; i < queries; i++) {
      const query = (h * queries + i) * width;
      const { first, end } = reach(problem, i);
      let largest = -Infinity;
      for (let j = first; j < end; j++) {
        const key = (kvHead * keys + j) * width;
        let score = 0;
        for (let c = 0; c < width; c++) score += q[query + c] * k[key + c];
        score *= scale;
        if (bias) score += bias[i * keys + j];
        if (flags && !allows(problem, i, j)) score = -Infinity;
        weights[j] = score;
        if (score > largest) largest = score;
      }
      let sum = 0;
      for (let j = first; j < end; j++) {
        weights[j] = Math.exp(weights[j] - largest);
        sum += weights[j];
      }
      const out = (h * queries + i) * valueWidth;
      for (let j = first; j < end; j++) {
        const weight = weights[j] / sum;
        const value = (kvHead * keys + j) * valueWidth;
        for (let c = 0; c < valueWidth; c++) output[out + c] += weight * v[value + c];
      }
    }
  }
  return [output];
}

/** @type {import('./contestant.js').Contestant} */
export const plain = {
  name: 'plain JavaScript',
  ways: ({ kind }) => ({
    loops(problem) {
      if (kind !== 'attention' && kind !== 'decode') throw new Unable('not written in plain loops');
      return { run: () => attention(problem) };
    },
  }),
};
