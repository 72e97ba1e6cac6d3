import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { refuses } from './support/refuses.js';

for (const { variant, engine } of engines) {
  describe(`scores (${variant})`, () => {
    const keys = [[1, 0], [0, 1], [3, 4]];

    test('scale · q·k, in the rank of the inputs', () => {
      const { shape, data } = engine.scores([[1, 0], [0, 2]], keys);
      assert.deepEqual(shape, [2, 3]);
      assertClose(data, [1, 0, 3, 0, 2, 8].map((dot) => dot / Math.SQRT2));
      assert.deepEqual(engine.scores([[[1, 0]]], [[[1, 0]]], { scale: 2 }).toNested(), [[[2]]]);
    });

    test('masked scores are −Infinity', () => {
      assert.deepEqual(engine.scores(keys, keys, { scale: 1, causal: true }).toNested(), [[1, -Infinity, -Infinity], [0, 1, -Infinity], [3, 4, 25]]);
    });

    test('the same numbers as attention returns', () => {
      const options = { scale: 0.3, bias: [1, 2, 3], softcap: 2, causal: true };
      assert.deepEqual(engine.attention(keys, keys, keys, { ...options, returnScores: true }).scores.data, engine.scores(keys, keys, options).data);
    });

    test('options that do not shape scores are refused', () => {
      refuses(engine, () => engine.scores(keys, keys, /** @type {any} */ ({ emptyRows: 'nan' })), TypeError, /^options: expected known names/);
    });
  });
}
