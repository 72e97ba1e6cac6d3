// The cache against one call over all keys.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';
import { rowRange } from './support/row-range.js';
import { zeros } from './support/tensors.js';

const one = { kvHeads: 1, headDim: 2, valueDim: 1 };

for (const { variant, engine } of engines) {
  describe(`kv cache (${variant})`, () => {
    test('A20 8 tokens in splits [8], [1 × 8] and [3, 1, 4]: causal, windowed and grouped as in one pass', () => {
      const random = randomFrom(20);
      const [q, k, v] = [random.tensor([4, 8, 6]), random.tensor([2, 8, 6]), random.tensor([2, 8, 5])];
      for (const window of [undefined, 3]) {
        const whole = engine.attention(q, k, v, { causal: true, window }).output;
        for (const split of [[8], Array(8).fill(1), [3, 1, 4]]) {
          const cache = engine.createKvCache({ kvHeads: 2, headDim: 6, valueDim: 5, window });
          let from = 0;
          for (const count of split) {
            cache.append(rowRange(k, from, count), rowRange(v, from, count));
            const { output } = cache.attend(rowRange(q, from, count), { causal: true });
            assert.deepEqual(output.shape, [4, count, 5]);
            assertClose(output.data, rowRange(whole, from, count).data);
            from += count;
          }
          cache.dispose();
        }
      }
    });

    test('random chunkings equal one pass: any heads, widths, window, and batch', () => {
      for (let seed = 0; seed < 40; seed++) {
        const random = randomFrom(seed);
        const [batch, kvHeads, group] = [random.whole(1, 2), random.pick([1, 2]), random.pick([1, 2, 4, 5])];
        const [length, d, dv] = [random.whole(1, 180), random.whole(1, 20), random.whole(1, 20)];
        const window = random.pick([undefined, random.whole(1, 100), { left: random.whole(0, 50), right: 0 }]);
        const q = random.tensor([batch, kvHeads * group, length, d]);
        const k = random.tensor([batch, kvHeads, length, d]);
        const v = random.tensor([batch, kvHeads, length, dv]);
        const whole = engine.attention(q, k, v, { causal: true, window }).output;
        const cache = engine.createKvCache({ batch, kvHeads, headDim: d, valueDim: dv, window });
        for (let from = 0; from < length; ) {
          const count = Math.min(length - from, random.pick([1, 1, 2, random.whole(1, 100)]));
          cache.append(rowRange(k, from, count), rowRange(v, from, count));
          const { output } = cache.attend(rowRange(q, from, count), { causal: true });
          assertClose(output.data, rowRange(whole, from, count).data, 2e-6, `seed ${seed}, from ${from}`);
          from += count;
        }
        assert.equal(cache.length, length);
        cache.dispose();
      }
    });

    test('attend has the options and the result of attention, with masks over all positions', () => {
      const random = randomFrom(3);
      const [q, k, v] = [random.tensor([2, 3, 4]), random.tensor([1, 5, 4]), random.tensor([1, 5, 2])];
      const cache = engine.createKvCache({ kvHeads: 1, headDim: 4, valueDim: 2 });
      cache.append(k, v);
      for (const options of [
        {},
        { causal: true, returnWeights: true, returnScores: true, returnLogSumExp: true },
        { scale: 0.3, softcap: 2, bias: random.tensor([2, 3, 5]), returnScores: true },
        { queryOffset: 0, causal: true, window: 2, allowKeys: [true, false, true, true, true] },
        { scoring: /** @type {const} */ ({ kind: 'additive', wq: random.tensor([3, 4]), wk: random.tensor([3, 4]), v: [1, -1, 2] }), causal: true, returnScores: true, returnWeights: true },
        { scoring: /** @type {const} */ ({ kind: 'cosine' }), scale: 5, maskMod: (/** @type {number} */ _b, /** @type {number} */ h, /** @type {number} */ i, /** @type {number} */ j) => (h + i + j) % 3 > 0 },
        { keyLengths: [4], emptyRows: /** @type {const} */ ('uniform') },
        { blocks: { size: /** @type {[number, number]} */ ([2, 3]), allow: [[true, false], [false, true]] }, allow: [true, true, false, true, true] },
      ]) {
        const got = cache.attend(q, options);
        const expected = engine.attention(q, k, v, options);
        assert.deepEqual(Object.keys(got), Object.keys(expected));
        assertClose(got.output.toNested(), expected.output.toNested());
        for (const name of /** @type {const} */ (['weights', 'scores', 'logSumExp'])) {
          if (expected[name]) assertClose(got[name]?.toNested(), expected[name].toNested());
        }
        const { workingBytes, ...report } = got.report;
        assert.ok(workingBytes > 0);
        assert.deepEqual({ ...report, workingBytes: 0 }, { ...expected.report, workingBytes: 0 });
      }
    });

    test('causal is false by default, and queries are the tail of the keys', () => {
      const cache = engine.createKvCache(one);
      cache.append([[0, 0], [0, 0]], [[1], [2]]);
      cache.append([[0, 0], [0, 0], [0, 0]], [[3], [4], [5]]);
      assertClose(cache.attend([[0, 0], [0, 0]]).output.data, [3, 3]);
      assertClose(cache.attend([[0, 0], [0, 0]], { causal: true }).output.data, [2.5, 3]);
      assertClose(cache.attend([[0, 0]], { causal: true, queryOffset: 1 }).output.data, [1.5]);
    });

    test('masked keys have no influence, NaN and Infinity included; a visible NaN makes its row NaN', () => {
      for (const dtype of /** @type {const} */ (['f32', 'f16'])) {
        const cache = engine.createKvCache({ ...one, dtype });
        cache.append([[0, 0], [NaN, 0], [0, 0]], [[1], [Infinity], [3]]);
        assertClose(cache.attend([[1, 1]], { allowKeys: [true, false, true] }).output.data, [2]);
        assertClose(cache.attend([[1, 1], [1, 1]], { causal: true, queryOffset: 0 }).output.data, [1, NaN]);
      }
    });

    test('ranks: heads may be absent if there is one, the batch axis if there is one', () => {
      const k = zeros(3, 2);
      const v = zeros(3, 1);
      const cache = engine.createKvCache(one);
      cache.append(k, v);
      cache.append({ ...k, shape: [1, 3, 2] }, { ...v, shape: [1, 3, 1] });
      cache.append({ ...k, shape: [1, 1, 3, 2] }, { ...v, shape: [1, 1, 3, 1] });
      cache.append([], []);
      assert.equal(cache.length, 9);
      assert.deepEqual(cache.attend([[0, 0]]).output.shape, [1, 1]);
      assert.deepEqual(cache.attend(zeros(4, 1, 2)).output.shape, [4, 1, 1]);
      assert.deepEqual(cache.attend(zeros(1, 4, 1, 2)).output.shape, [1, 4, 1, 1]);
      assert.deepEqual(cache.attend([]).output.shape, [0, 1]);
    });

    test('f16 halves the bytes, and is as exact as halves are', () => {
      const random = randomFrom(16);
      const [q, k, v] = [random.tensor([4, 1, 32]), random.tensor([2, 200, 32]), random.tensor([2, 200, 32])];
      const [wide, half] = /** @type {const} */ (['f32', 'f16']).map((dtype) => {
        const cache = engine.createKvCache({ kvHeads: 2, headDim: 32, valueDim: 32, dtype });
        cache.append(k, v);
        return cache;
      });
      assert.equal(half.bytes * 2, wide.bytes);
      const { output, report } = half.attend(q);
      assert.equal(report.dtype, 'f16');
      const exact = wide.attend(q).output.data;
      // A score moves by up to 2⁻¹¹ Σ|qₖkₖ|/√d, a weight by twice that of its size.
      let most = 0;
      for (let h = 0; h < 4; h++) {
        for (let j = 0; j < 200; j++) {
          let sum = 0;
          for (let c = 0; c < 32; c++) sum += Math.abs(q.data[h * 32 + c] * k.data[((h >> 1) * 200 + j) * 32 + c]);
          most = Math.max(most, sum / Math.sqrt(32));
        }
      }
      const largest = v.data.reduce((size, x) => Math.max(size, Math.abs(x)), 0);
      const bound = 2 ** -11 * largest * (1 + 2 * most);
      output.data.forEach((x, i) => assert.ok(Math.abs(x - exact[i]) <= bound));
      assert.notDeepEqual(output.data, exact);
      // What is a half already stays what it is.
      const cache = engine.createKvCache({ ...one, dtype: 'f16' });
      cache.append([[1, 2]], [[-0.125]]);
      assert.deepEqual([...cache.attend([[0, 0]]).output.data], [-0.125]);
    });
  });
}
