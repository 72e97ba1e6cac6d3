// Other weights with the same output: valid, far away, or said not to exist.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';
import { refuses } from './support/refuses.js';

for (const { variant, engine } of engines) {
  const { equalOutputWeights } = engine.explain;
  /** What any weights give, by the reference: logarithms as bias of equal scores. @param {ArrayLike<number>} weights @param {number[][]} v */
  const outputOf = (weights, v) => {
    const [zero, keys] = [[[0]], v.map(() => [0])];
    return engine.reference.attention(zero, keys, v, { bias: [Array.from(weights, Math.log)] }).output.data;
  };

  describe(`equalOutputWeights (${variant})`, () => {
    test('one key in the middle gives all its weight to both ends', () => {
      const result = equalOutputWeights([0, 1, 0], [[1], [2], [3]]);
      assert.deepEqual(Object.keys(result), ['exists', 'farthest', 'distance', 'weights', 'output']);
      assert.deepEqual([result.exists, result.farthest], [true, true]);
      assertClose(result.distance, 1, 1e-12);
      assertClose(result.weights.data, [0.5, 0, 0.5], 1e-12);
      assertClose(result.output.data, [2], 1e-12);
    });

    test('none, where values are independent or the output is extreme', () => {
      const given = [0.2, 0.3, 0.5];
      const { exists, farthest, distance, weights, output } = equalOutputWeights(given, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
      assert.deepEqual([exists, farthest, distance, [...weights.data], [...output.data]], [false, true, 0, given, given]);
      assert.equal(equalOutputWeights([1, 0, 0], [[1], [2], [3]]).exists, false);
    });

    test('weights from attention: a valid other vector, the same output by the reference', () => {
      const random = randomFrom(81);
      for (let round = 0; round < 60; round++) {
        const [keys, d, dv] = [random.whole(1, 30), random.whole(1, 6), random.whole(1, 6)];
        const [q, k, v] = [random.tensor([1, d]), random.tensor([keys, d]), random.tensor([keys, dv])];
        const attention = /** @type {typeof engine.attention} */ (random.pick([engine.attention, engine.reference.attention]));
        const { weights: given } = attention(q, k, v, { returnWeights: true });
        const vector = { data: given.data, shape: [keys] };
        const rows = Array.from({ length: keys }, (_, j) => [...v.data.subarray(j * dv, (j + 1) * dv)]);
        const result = equalOutputWeights(vector, v);
        const { data } = result.weights;
        assert.ok(data.every((weight) => weight >= 0));
        assertClose(data.reduce((sum, weight) => sum + weight, 0), 1, 2e-7);
        assertClose(outputOf(data, rows), outputOf(given.data, rows), 1e-6);
        assertClose(result.output.data, outputOf(data, rows), 1e-6);
        assertClose(result.distance, data.reduce((sum, weight, j) => sum + Math.abs(weight - given.data[j]), 0) / 2, 1e-6);
        assert.equal(result.exists, result.distance > 1e-6);
        assert.equal(result.farthest, keys <= 14 || !result.exists);
        if (keys > dv + 1) assert.ok(result.exists, `${keys} keys, ${dv} columns`);
        if (keys <= Math.min(dv, 2)) assert.equal(result.exists, false);
      }
    });

    test('a key that is not allowed gets nothing, and its value is not read', () => {
      const v = [[1], [2], [3], [NaN]];
      assertClose(equalOutputWeights([0.5, 0, 0.5, 0], v, { allow: [true, true, true, false] }).weights.data, [0, 1, 0, 0], 1e-12);
      assert.equal(equalOutputWeights([0.5, 0, 0.5, 0], v, { allow: [true, false, true, false] }).exists, false);
    });

    test('refusals', () => {
      const refused = (/** @type {any[]} */ call, /** @type {typeof TypeError | typeof RangeError} */ kind, /** @type {string} */ sentence) =>
        refuses(engine, () => /** @type {any} */ (equalOutputWeights)(...call), kind, sentence);
      const v = [[1], [2]];
      refused([[[1]], v], RangeError, 'weights: expected rank 1, got rank 2 (shape [1, 1])');
      refused([[1], v], RangeError, 'v: expected number of keys 1 like weights, got 2');
      refused([[0.5, 0.6], v], RangeError, 'weights: expected numbers with a sum of 1, got 1.1');
      refused([[1.5, -0.5], v], RangeError, 'weights[0]: expected a number from 0 to 1, got 1.5');
      refused([[NaN, 1], v], RangeError, 'weights[0]: expected a number from 0 to 1, got NaN');
      refused([[], { data: [], shape: [0, 1] }], RangeError, 'weights: expected numbers with a sum of 1, got 0');
      refused([[0.5, 0.5], [[1], [Infinity]]], RangeError, 'v[1][0]: expected a finite number, got Infinity');
      refused([[0.5, 0.5], v, { allow: [true, false] }], RangeError, 'weights[1]: expected 0, since allow forbids this key, got 0.5');
      refused([[0.5, 0.5], v, { allow: [true] }], RangeError, 'allow: expected shape [2] like weights, got [1]');
      refused([[0.5, 0.5], v, { allowKeys: [true, true] }], TypeError, 'options: expected known names (did you mean "allow"?), got "allowKeys"');
      refused([[0.5, 0.5], { data: [], shape: [2, 0] }], RangeError, 'v: expected rows of at least 1 value, got shape [2, 0]');
    });
  });
}
