import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { refuses } from './support/refuses.js';

for (const { variant, engine } of engines) {
  describe(`geometry (${variant})`, () => {
    test('lengths, dot products and angles', () => {
      const { queryLength, keyLengths, dots, angles } = engine.geometry([3, 4], [[3, 4], [-4, 3], [-3, -4], [0, 0]]);
      assert.equal(queryLength, 5);
      assertClose(keyLengths.data, [5, 5, 5, 0], 1e-15);
      assertClose(dots.data, [25, 0, -25, 0], 1e-15);
      assertClose(angles.data, [0, Math.PI / 2, Math.PI, NaN], 1e-7);
      assert.deepEqual(angles.shape, [4]);
    });

    test('refusals', () => {
      refuses(engine, () => engine.geometry([[1, 2]], [[1, 2]]), RangeError, 'query: expected rank 1, got rank 2 (shape [1, 2])');
      refuses(engine, () => engine.geometry([1, 2], [1, 2]), RangeError, 'keys: expected rank 2, got rank 1 (shape [2])');
      refuses(engine, () => engine.geometry([1, 2], [[1, 2, 3]]), RangeError, 'keys: expected width 2 like query, got 3');
    });
  });
}
