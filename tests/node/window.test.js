// Windows on every path that takes one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { refuses } from './support/refuses.js';
import { column, counting, zeros } from './support/tensors.js';

for (const { variant, engine } of engines) {
  const [q, v] = [zeros(5, 1), counting(5)];
  /** Every call that takes a window, with what two keys of five, and only those, make of it. */
  const paths = {
    attention: (/** @type {any} */ window) => engine.attention(q, q, v, { causal: true, window }).output.toNested(),
    'attention with weights': (/** @type {any} */ window) => {
      const { weights } = engine.attention(q, q, v, { causal: true, window, returnWeights: true });
      return weights.toNested().map((row) => [row.reduce((/** @type {number} */ sum, /** @type {number} */ weight, /** @type {number} */ j) => sum + weight * v[j][0], 0)]);
    },
    'attention of one head of three': (/** @type {any} */ window) => {
      const three = { data: new Float32Array(15), shape: [3, 5, 1] };
      const values = { data: Float32Array.from({ length: 15 }, (_, n) => (n % 5) + 1), shape: [3, 5, 1] };
      return engine.attention(three, three, values, { causal: true, window }).output.toNested()[2];
    },
    'reference.attention': (/** @type {any} */ window) => engine.reference.attention(q, q, v, { causal: true, window }).output.toNested(),
    scores: (/** @type {any} */ window) => meansOf(engine.scores(q, q, { causal: true, window }).toNested().map((row) => row.map(Number.isFinite))),
    mask: (/** @type {any} */ window) => meansOf(engine.mask({ queries: 5, keys: 5, causal: true, window }).toNested()),
  };

  /** The mean of the values that each row sees. @param {boolean[][]} rows */
  const meansOf = (rows) => rows.map((row) => [row.reduce((sum, seen, j) => sum + (seen ? v[j][0] : 0), 0) / row.filter(Boolean).length]);

  describe(`window (${variant})`, () => {
    test('A08: every path honours it; undefined is none', () => {
      for (const [name, path] of Object.entries(paths)) {
        assertClose(path(1), column(1, 2, 3, 4, 5), 1e-6, name);
        assertClose(path(2), column(1, 1.5, 2.5, 3.5, 4.5), 1e-6, name);
        assertClose(path(5), column(1, 1.5, 2, 2.5, 3), 1e-6, name);
        assertClose(path(undefined), column(1, 1.5, 2, 2.5, 3), 1e-6, name);
      }
    });

    test('A08: attentionAsync honours it', async () => {
      assertClose((await engine.attentionAsync(q, q, v, { causal: true, window: 2 })).output.toNested(), column(1, 1.5, 2.5, 3.5, 4.5));
      await assert.rejects(engine.attentionAsync(q, q, v, { window: 0 }), RangeError);
    });

    test('A08: 0, negative numbers and fractions are refused on every path, before memory is taken', () => {
      const { memoryBytes } = engine.info;
      const long = { data: new Float32Array(1e6), shape: [1e6, 1] };
      for (const window of [0, -1, 1.5, NaN]) {
        for (const path of Object.values(paths)) refuses(engine, () => path(window), RangeError, /^window: expected a whole number of at least 1, or \{left, right\}, got /);
        refuses(engine, () => engine.attention(long, long, long, { window }), RangeError, /^window: /);
      }
      assert.equal(engine.info.memoryBytes, memoryBytes);
    });
  });
}
