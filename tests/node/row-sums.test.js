import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from './support/engines.js';
import { refuses } from './support/refuses.js';

for (const { variant, engine } of engines) {
  describe(`row sums (${variant})`, () => {
    test('in float64, without the last axis', () => {
      assert.deepEqual(engine.rowSums([[0.1, 0.2], [3, -3]]).toNested(), [0.1 + 0.2, 0]);
      assert.deepEqual(engine.rowSums([[[1, 2]], [[3, 4]]]).toNested(), [[3], [7]]);
      assert.deepEqual(engine.rowSums({ data: [], shape: [2, 0] }).toNested(), [0, 0]);
    });

    test('a vector is no matrix', () => {
      refuses(engine, () => engine.rowSums([1, 2]), RangeError, 'x: expected rank 2, 3 or 4, got rank 1 (shape [2])');
    });
  });
}
