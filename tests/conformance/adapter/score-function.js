import { at, build } from './tensors.js';

/** @typedef {import('./tensors.js').Values} Values */
/** @typedef {import('./adapter.js').Call} Call */

/**
 * Scores of one kind, and their softmax, for queries [B, nq, d] and keys [B, nk, dk].
 * @param {import('../cases.js').Case} given @param {Record<string, Values>} outputs @returns {Call[]}
 */
export function scoreFunction({ attrs, inputs }, { scores, weights }) {
  const augmented = attrs.kind === 'bilinear_augmented' ? withOne : (/** @type {Values} */ tensor) => tensor;
  const [q, k] = [oneHead(augmented(inputs.query)), oneHead(augmented(inputs.key))];
  const { W: matrix, w = matrix, b } = inputs;
  const scoring = { kind: kinds[attrs.kind], ...(w && { w }), ...(b && { b: b.data[0] }) };
  const options = { scoring, ...(attrs.scale !== undefined && { scale: attrs.scale }) };
  const expected = { ...(scores && { scores: oneHead(scores) }), ...(weights && { weights: oneHead(weights) }) };
  return [
    ...(scores ? [{ method: 'scores', inputs: { q, k }, options, expected: { itself: expected.scores } }] : []),
    {
      method: 'attention',
      inputs: { q, k, v: build([...k.shape.slice(0, 3), 1], () => 0) },
      options: { ...options, returnScores: Boolean(scores), returnWeights: Boolean(weights) },
      expected,
    },
  ];
}

/** @type {Record<string, string>} */
const kinds = {
  dot: 'dot',
  scaled_dot: 'scaled-dot',
  bilinear: 'general',
  bilinear_augmented: 'general',
  linear: 'linear',
  trilinear: 'trilinear',
  cosine: 'cosine',
};

/** [B, n, w] → [B, 1, n, w]. @param {Values} tensor @returns {Values} */
export const oneHead = ({ shape: [batch, ...rest], data }) => ({ shape: [batch, 1, ...rest], data });

/** A 1 at the end of every vector. @param {Values} tensor */
function withOne(tensor) {
  const [batch, length, width] = tensor.shape;
  return build([batch, length, width + 1], ([b, i, c]) => (c === width ? 1 : at(tensor, [b, i, c])));
}
