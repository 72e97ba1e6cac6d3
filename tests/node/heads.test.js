// Head counts that do not fit, and weights by head.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';
import { refuses } from './support/refuses.js';
import { zeros } from './support/tensors.js';

for (const { variant, engine } of engines) {
  describe(`heads (${variant})`, () => {
    test('A16: counts that do not divide, none, more for keys than for queries, and widths of 0 are refused with both numbers, before memory is taken', () => {
      const { memoryBytes } = engine.info;
      for (const [hq, hk] of [[3, 2], [2, 0], [2, 4], [1, 3]]) {
        const sentence = `q and k: expected query heads to be a multiple of the key/value heads, got ${hq} query heads and ${hk} key/value heads`;
        refuses(engine, () => engine.attention(zeros(hq, 4096, 64), zeros(hk, 4096, 64), zeros(hk, 4096, 64)), RangeError, sentence);
        const [q, k] = [zeros(hq, 2, 4), zeros(hk, 2, 4)];
        refuses(engine, () => engine.reference.attention(q, k, k), RangeError, sentence);
        for (const call of [engine.scores, engine.reference.scores]) refuses(engine, () => call(q, k), RangeError, sentence);
        for (const call of [engine.attentionBackward, engine.reference.attentionBackward]) refuses(engine, () => call(q, k, k, q), RangeError, sentence);
        for (const call of [engine.linearAttention, engine.reference.linearAttention, engine.explain.leaveOneOut]) refuses(engine, () => call(q, k, k), RangeError, sentence);
        refuses(engine, () => engine.explain.gradient(q, k, k, { component: 0 }), RangeError, sentence);
      }
      const w = zeros(4, 12);
      for (const call of [engine.multiHeadAttention, engine.reference.multiHeadAttention]) {
        refuses(engine, () => call(zeros(2, 4), { wq: w, wk: w, wv: w, heads: 3, kvHeads: 2 }), RangeError, /, got 3 query heads and 2 key\/value heads$/);
        refuses(engine, () => call(zeros(2, 4), { wq: w, wk: w, wv: w, heads: 5 }), RangeError, /^wq: expected shape \[4, a multiple of 5\] .*, got \[4, 12\]$/);
      }
      const cache = engine.createKvCache({ kvHeads: 2, headDim: 4, valueDim: 4 });
      refuses(engine, () => cache.attend(zeros(3, 1, 4)), RangeError, "q: expected heads that are a multiple of the cache's 2 key/value heads, got 3");
      cache.dispose();
      refuses(engine, () => engine.attention(zeros(2, 4, 0), zeros(2, 4, 0), zeros(2, 4, 1)), RangeError, 'q: expected rows of at least 1 value, got shape [2, 4, 0]');
      assert.equal(engine.info.memoryBytes, memoryBytes);
    });

    test('A26: weights come per head, every row with the sum 1, and asking for them changes no bit of the output', () => {
      const random = randomFrom(26);
      const [q, k, v] = [random.tensor([4, 9, 5]), random.tensor([2, 11, 5]), random.tensor([2, 11, 3])];
      const plain = engine.attention(q, k, v);
      const asked = engine.attention(q, k, v, { returnWeights: true });
      assert.deepEqual(asked.weights.shape, [4, 9, 11]);
      assertClose(engine.rowSums(asked.weights).data, new Float64Array(36).fill(1));
      assert.deepEqual(plain.output.data, asked.output.data);
      assert.ok(!('weights' in plain));
      const [first, second] = asked.weights.toNested();
      assert.notDeepEqual(first, second);
    });
  });
}
