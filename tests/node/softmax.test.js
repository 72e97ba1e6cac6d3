import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { refuses } from './support/refuses.js';

for (const { variant, engine } of engines) {
  describe(`softmax (${variant})`, () => {
    test('along the last axis, for every rank', () => {
      const [a, b] = [1 / (1 + Math.exp(1)), 1 / (1 + Math.exp(-1))];
      assertClose(engine.softmax([1, 2]).toNested(), [a, b]);
      assertClose(engine.softmax([[1, 2], [2, 1]]).toNested(), [[a, b], [b, a]]);
      assertClose(engine.softmax([[[[1, 2]]]]).toNested(), [[[[a, b]]]]);
    });

    test('scores of any size', () => {
      assertClose(engine.softmax([800, 0, 0]).data, [1, 0, 0]);
      assertClose(engine.softmax([-Infinity, 0]).data, [0, 1]);
      assertClose(engine.softmax([[NaN, 0], [0, 0], [Infinity, 0]]).toNested(), [[NaN, NaN], [0.5, 0.5], [NaN, NaN]]);
      assert.deepEqual(engine.softmax({ data: [], shape: [2, 0] }).shape, [2, 0]);
    });

    test('what is not built is refused', () => {
      const call = (/** @type {any} */ x, /** @type {any} */ options = {}) => () => engine.softmax(x, options);
      refuses(engine, call([1], { precision: 'f16' }), TypeError, 'precision: expected \'f32\', got "f16"');
      refuses(engine, call([1], { stable: false }), TypeError, 'stable: expected true (nothing else is built yet), got false');
      refuses(engine, call(1), TypeError, 'x: expected nested arrays of numbers or {data, shape}, got 1');
    });
  });
}
