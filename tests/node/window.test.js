// Windows on every path that takes one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { refuses } from './support/refuses.js';
import { column, counting, zeros } from './support/tensors.js';

/** Multi-head attention in which x and the heads hold the same. */
const plain = { wq: [[0]], wk: [[0]], wv: [[1]], heads: 1 };
/** A scoring that is 0 for zeros. */
const additive = /** @type {const} */ ({ kind: 'additive', wq: [[1]], wk: [[1]], v: [1] });

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
    'attention by another scoring': (/** @type {any} */ window) => engine.attention(q, q, v, { causal: true, window, scoring: additive }).output.toNested(),
    'attention with a scoreMod': (/** @type {any} */ window) => engine.attention(q, q, v, { causal: true, window, scoreMod: (score) => score }).output.toNested(),
    multiHeadAttention: (/** @type {any} */ window) => engine.multiHeadAttention(v, { ...plain, causal: true, window }).output.toNested(),
    'reference.multiHeadAttention': (/** @type {any} */ window) => engine.reference.multiHeadAttention(v, { ...plain, causal: true, window }).output.toNested(),
    // With a dO that picks one query, dV is that query's weights.
    attentionBackward: (/** @type {any} */ window) => rowsOf((dO) => engine.attentionBackward(q, q, v, dO, { causal: true, window }).dValue.toNested()),
    'reference.attentionBackward': (/** @type {any} */ window) => rowsOf((dO) => engine.reference.attentionBackward(q, q, v, dO, { causal: true, window }).dValue.toNested()),
    'explain.leaveOneOut': (/** @type {any} */ window) => engine.explain.leaveOneOut(q, q, v, { causal: true, window }).output.toNested(),
    'explain.replaceValue': (/** @type {any} */ window) => engine.explain.replaceValue(q, q, v, { key: 0, value: [1] }, { causal: true, window }).after.toNested(),
    'explain.gradient': (/** @type {any} */ window) => rowsOf((_, query) => engine.explain.gradient(q, q, v, { component: 0, query }, { causal: true, window }).dValue.toNested()),
    'a cache': (/** @type {any} */ window) => cached({}, { causal: true, window }),
    'a cache with a window': (/** @type {any} */ window) => cached({ window }, { causal: true }),
    scores: (/** @type {any} */ window) => meansOf(engine.scores(q, q, { causal: true, window }).toNested().map((row) => row.map(Number.isFinite))),
    'reference.scores': (/** @type {any} */ window) => meansOf(engine.reference.scores(q, q, { causal: true, window }).toNested().map((row) => row.map(Number.isFinite))),
    mask: (/** @type {any} */ window) => meansOf(engine.mask({ queries: 5, keys: 5, causal: true, window }).toNested()),
  };

  /** The mean of the values that each row sees. @param {boolean[][]} rows */
  const meansOf = (rows) => rows.map((row) => [row.reduce((sum, seen, j) => sum + (seen ? v[j][0] : 0), 0) / row.filter(Boolean).length]);

  /** The mean of the values by the weights of each row. @param {(dO: number[][], query: number) => number[][]} weightsOf */
  const rowsOf = (weightsOf) => v.map((_, query) => [weightsOf(v.map((__, i) => [Number(i === query)]), query).reduce((sum, [weight], j) => sum + weight * v[j][0], 0)]);

  /** What a cache gives that is fed one position at a time. @param {any} settings @param {any} options */
  function cached(settings, options) {
    const cache = engine.createKvCache({ kvHeads: 1, headDim: 1, valueDim: 1, ...settings });
    try {
      return v.map((value) => {
        cache.append([[0]], [value]);
        return cache.attend([[0]], options).output.toNested()[0];
      });
    } finally {
      cache.dispose();
    }
  }

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
