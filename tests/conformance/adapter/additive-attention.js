import { oneHead } from './score-function.js';
import { booleans, build, transpose } from './tensors.js';

/** @typedef {import('./tensors.js').Values} Values */

/**
 * Additive attention. Weights are used as q·Wq here and stand the other way round in the engine; without them they are
 * the identity, and the score vector is all ones. A query mask zeroes rows of the output, not their weights.
 * @param {import('../cases.js').Case} given @param {Record<string, Values>} outputs @returns {import('./adapter.js').Call[]}
 */
export function additiveAttention({ inputs }, { scores, weights, Y }) {
  const { query, key, value, Wq, Wk, score_vector: vector, key_mask: keys, query_mask: queries } = inputs;
  const wq = Wq ? transpose(Wq) : identity(query.shape[2]);
  const wk = Wk ? transpose(Wk) : identity(key.shape[2]);
  const scoring = { kind: 'additive', wq, wk, v: vector ?? build([wq.shape[0]], () => 1) };
  const [q, k] = [oneHead(query), oneHead(key)];
  const masked = { scoring, ...(keys && { allowKeys: booleans(keys) }) };
  /** @type {import('./adapter.js').Call[]} */
  const calls = [];
  if (scores) calls.push({ method: 'scores', inputs: { q, k }, options: { scoring }, expected: { itself: oneHead(scores) } });
  if (value) {
    const v = oneHead(value);
    const output = oneHead(Y);
    calls.push({
      method: 'attention',
      inputs: { q, k, v },
      options: { ...masked, returnWeights: true },
      expected: { weights: oneHead(weights), ...(!queries && { output }) },
    });
    if (queries) {
      const [batch, length] = queries.shape;
      const allow = booleans({ shape: [batch, 1, length, 1], data: queries.data });
      calls.push({ method: 'attention', inputs: { q, k, v }, options: { ...masked, allow }, expected: { output } });
    }
  }
  return calls;
}

/** @param {number} size */
const identity = (size) => build([size, size], ([i, j]) => Number(i === j));
