import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { refuses } from './support/refuses.js';

for (const { variant, engine } of engines) {
  describe(`mask after softmax (${variant})`, () => {
    const scores = [[1, 2, 3], [0, 0, 0]];
    const allow = [[true, true, false], [false, false, false]];

    test('rows no longer sum to 1; divided by their sum they equal the masked softmax', () => {
      const { weights, rowSums, renormalised } = engine.maskAfterSoftmax(scores, allow);
      const total = Math.exp(1) + Math.exp(2) + Math.exp(3);
      const kept = [Math.exp(1) / total, Math.exp(2) / total];
      assertClose(weights.toNested(), [[...kept, 0], [0, 0, 0]], 1e-15);
      assertClose(rowSums.toNested(), [kept[0] + kept[1], 0], 1e-15);
      assertClose(renormalised.toNested(), [[...kept.map((w) => w / (kept[0] + kept[1])), 0], [0, 0, 0]], 1e-15);
      assertClose(engine.softmax([[1, 2, -Infinity]]).data, [...renormalised.data.subarray(0, 3)]);
    });

    test('takes a mask of the engine', () => {
      const mask = engine.mask({ queries: 2, keys: 3, causal: true });
      assertClose(engine.maskAfterSoftmax([[0, 0, 0], [0, 0, 0]], mask).rowSums.data, [2 / 3, 1], 1e-15);
    });

    test('refusals', () => {
      refuses(engine, () => engine.maskAfterSoftmax(scores, [[true, true, true]]), RangeError, 'allow: expected shape [2, 3] like scores, got [1, 3]');
      refuses(engine, () => engine.maskAfterSoftmax(scores, /** @type {any} */ (scores)), TypeError, /^allow: expected booleans \(true = may attend\), got numbers/);
      assert.throws(() => engine.maskAfterSoftmax([1], [true]), RangeError);
    });
  });
}
