// What a call to attention means: worked examples, alignment, heads, ranks, empty rows.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { formula } from './support/formula.js';
import { randomFrom } from './support/random.js';
import { column, counting, zeros } from './support/tensors.js';

/** @typedef {import('attn-widgets').AttentionOptions} Options */

for (const { variant, engine } of engines) {
  describe(`attention (${variant})`, () => {
    test('the two-key example', () => {
      const keys = [[1, 0], [0, 1]];
      const values = [[2, 0], [0, 4]];
      const weight = Math.exp(Math.SQRT1_2) / (Math.exp(Math.SQRT1_2) + 1); // 67.0 %
      const at = (/** @type {number[]} */ q) => engine.attention([q], keys, values, { returnWeights: true, returnScores: true });
      const shown = (/** @type {number[]} */ q) => Array.from(at(q).output.data, (x) => x.toFixed(3));

      const right = at([1, 0]);
      assertClose(right.scores.toNested(), [[Math.SQRT1_2, 0]]);
      assertClose(right.weights.toNested(), [[weight, 1 - weight]]);
      assertClose(right.output.toNested(), [[2 * weight, 4 * (1 - weight)]]);
      assert.deepEqual(shown([1, 0]), ['1.340', '1.321']);

      assertClose(at([0, 0]).weights.toNested(), [[0.5, 0.5]]);
      assertClose(at([0, 0]).output.toNested(), [[1, 2]]);
      assert.deepEqual(shown([0, 1]), ['0.660', '2.679']);
    });

    test('zero scores under a causal mask: 1, halves, thirds', () => {
      const { weights } = engine.attention(zeros(3, 2), zeros(3, 2), zeros(3, 1), { causal: true, returnWeights: true });
      assertClose(weights.toNested(), [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]);
    });

    test('causal: the queries are the tail of the keys, in both directions', () => {
      const causal = (/** @type {number} */ nq, /** @type {number} */ nk, /** @type {Options} */ extra = {}) =>
        engine.attention(zeros(nq, 1), zeros(nk, 1), counting(nk), { causal: true, ...extra }).output.toNested();
      assertClose(causal(2, 5), column(2.5, 3));
      assertClose(causal(1, 5), column(3));
      assertClose(causal(5, 2), column(0, 0, 0, 1, 1.5));
      assertClose(causal(2, 5, { queryOffset: 0 }), column(1, 1.5));
      assertClose(causal(2, 5, { queryOffset: -1 }), column(0, 1));
    });

    test('a window of w sees w keys, its own included', () => {
      const windowed = (/** @type {number} */ nq, /** @type {number} */ nk, /** @type {Options['window']} */ window, causal = true) =>
        engine.attention(zeros(nq, 1), zeros(nk, 1), counting(nk), { causal, window }).output.toNested();
      assertClose(windowed(5, 5, 1), column(1, 2, 3, 4, 5));
      assertClose(windowed(5, 5, 2), column(1, 1.5, 2.5, 3.5, 4.5));
      assertClose(windowed(5, 5, 9), column(1, 1.5, 2, 2.5, 3));
      assertClose(windowed(2, 6, 3), column(4, 5));
      assertClose(windowed(3, 3, 2, false), column(1.5, 2, 2.5));
      assertClose(windowed(3, 3, { left: 0, right: 1 }, false), column(1.5, 2.5, 3));
      assertClose(windowed(3, 3, { left: 1, right: Infinity }, false), column(2, 2, 2.5));
    });

    test('the default scale is 1/√(head size); a given one replaces it, 0 makes the weights uniform', () => {
      const q = [[[2, 0, 0, 0]], [[2, 0, 0, 0]]];
      const k = [[[2, 0, 0, 0], [0, 0, 0, 0]], [[2, 0, 0, 0], [0, 0, 0, 0]]];
      const v = [[[1], [0]], [[1], [0]]];
      const first = (/** @type {Options} */ options = {}) => engine.attention(q, k, v, options).output.data[0];
      assertClose(first(), 0.880797);
      assertClose(first({ scale: 1 }), 1 / (1 + Math.exp(-4)));
      assertClose(first({ scale: 0 }), 0.5);
      assertClose(first({ scale: -1 }), 1 / (1 + Math.exp(4)));
    });

    test('values may be wider or narrower than keys', () => {
      const { output } = engine.attention([[1, 0, 0]], [[Math.log(3) * Math.sqrt(3), 0, 0], [0, 0, 0]], [[4, 8], [0, -4]]);
      assert.deepEqual(output.shape, [1, 2]);
      assertClose(output.toNested(), [[3, 5]]);
    });

    test('query head h reads key/value head ⌊h·Hk/Hq⌋', () => {
      const heads = (/** @type {number} */ hq, /** @type {number[]} */ values) =>
        [...engine.attention(zeros(hq, 1, 1), zeros(values.length, 1, 1), values.map((x) => [[x]])).output.data];
      assert.deepEqual(heads(4, [10, 20]), [10, 10, 20, 20]);
      assert.deepEqual(heads(3, [10]), [10, 10, 10]);
      assert.deepEqual(heads(2, [10, 20]), [10, 20]);
    });

    test('ranks 2, 3 and 4 are one computation, and results have the rank of the inputs', () => {
      const random = randomFrom(4);
      const q = random.tensor([3, 5]);
      const k = random.tensor([4, 5]);
      const v = random.tensor([4, 2]);
      const all = /** @type {const} */ ({ returnWeights: true, returnScores: true, returnLogSumExp: true });
      const flat = engine.attention(q, k, v, all);
      for (const leading of [[], [1], [1, 1]]) {
        const lift = (/** @type {{ data: Float32Array, shape: number[] }} */ { data, shape }) => ({ data, shape: [...leading, ...shape] });
        const result = engine.attention(lift(q), lift(k), lift(v), all);
        assert.deepEqual(result.output.shape, [...leading, 3, 2]);
        assert.deepEqual(result.weights.shape, [...leading, 3, 4]);
        assert.deepEqual(result.scores.shape, [...leading, 3, 4]);
        assert.deepEqual(result.logSumExp.shape, [...leading, 3]);
        for (const name of /** @type {const} */ (['output', 'weights', 'scores', 'logSumExp'])) assert.deepEqual(result[name].data, flat[name].data);
      }
    });

    test('agrees with the formula for batches, groups of heads and every way to mask', () => {
      const random = randomFrom(7);
      for (let round = 0; round < 60; round++) {
        const [batch, kvHeads, group] = [random.whole(1, 2), random.whole(1, 3), random.whole(1, 3)];
        const [nq, nk] = [random.whole(1, 20), random.whole(1, 40)];
        const [d, dv] = [random.whole(1, 19), random.whole(1, 19)];
        const q = random.tensor([batch, kvHeads * group, nq, d]);
        const k = random.tensor([batch, kvHeads, nk, d]);
        const v = random.tensor([batch, kvHeads, nk, dv]);
        const cells = Array.from({ length: batch }, () => [Array.from({ length: nq }, () => Array.from({ length: nk }, () => random.next() < 0.7))]);
        const lengths = Array.from({ length: batch }, () => random.whole(0, nk));
        const keys = Array.from({ length: nk }, () => random.next() < 0.8);
        const window = random.whole(1, nk);
        const [use, offset] = [[0, 1, 2, 3, 4].map(() => random.next() < 0.5), nk - nq];
        const options = {
          ...(use[0] && { allow: cells }),
          ...(use[1] && { keyLengths: lengths }),
          ...(use[2] && { allowKeys: keys }),
          ...(use[3] && { window }),
          causal: use[4],
        };
        /** @param {number} b @param {number} _h @param {number} i @param {number} j */
        const allow = (b, _h, i, j) =>
          (!use[0] || cells[b][0][i][j]) && (!use[1] || j < lengths[b]) && (!use[2] || keys[j]) &&
          (!use[3] || Math.abs(i + offset - j) < window) && (!use[4] || j <= i + offset);
        const expected = formula(q, k, v, allow);
        const result = engine.attention(q, k, v, { ...options, returnWeights: true });
        assertClose(result.output.data, expected.output, 4e-6, `round ${round}: output`);
        assertClose(result.weights.data, expected.weights, 2e-6, `round ${round}: weights`);
      }
    });

    test('asking for more never changes the output', () => {
      const random = randomFrom(11);
      const [q, k, v] = [random.tensor([70, 16]), random.tensor([90, 16]), random.tensor([90, 8])];
      const plain = engine.attention(q, k, v, { causal: true });
      const full = engine.attention(q, k, v, { causal: true, returnWeights: true, returnScores: true, returnLogSumExp: true });
      assert.deepEqual(full.output.data, plain.output.data);
      assert.deepEqual(Object.keys(plain), ['output', 'report']);
    });

    test('a row with nothing to attend to: zero, NaN or the mean', () => {
      const call = (/** @type {Options['emptyRows']} */ emptyRows) =>
        engine.attention(zeros(2, 1), zeros(2, 1), column(3, 5), {
          allow: [[true, true], [false, false]], emptyRows, returnWeights: true, returnLogSumExp: true,
        });
      const zero = call('zero');
      assertClose(zero.output.toNested(), column(4, 0));
      assertClose(zero.weights.toNested(), [[0.5, 0.5], [0, 0]]);
      assertClose(zero.logSumExp.toNested(), [Math.LN2, -Infinity]);
      assertClose(call('nan').output.toNested(), column(4, NaN));
      assertClose(call('nan').weights.toNested(), [[0.5, 0.5], [NaN, NaN]]);
      assertClose(call('uniform').output.toNested(), column(4, 4));
      assertClose(call(undefined).output.data, zero.output.data);
    });

    test('no keys, no queries, no batch', () => {
      const all = /** @type {const} */ ({ returnWeights: true, returnLogSumExp: true });
      const noKeys = engine.attention(zeros(2, 3), zeros(0, 3), zeros(0, 2), all);
      assertClose(noKeys.output.toNested(), [[0, 0], [0, 0]]);
      assertClose(noKeys.weights.toNested(), [[], []]);
      assertClose(noKeys.logSumExp.toNested(), [-Infinity, -Infinity]);
      assert.deepEqual(engine.attention([[1, 0]], [], []).output.toNested(), [[0, 0]]);
      assert.deepEqual(engine.attention(zeros(0, 3), zeros(2, 3), zeros(2, 2), all).output.toNested(), []);
      assert.deepEqual(engine.attention([], [[1, 0]], [[2, 0, 1]]).output.shape, [0, 3]);
      assert.deepEqual(engine.attention(zeros(0, 1, 2, 3), zeros(0, 1, 2, 3), zeros(0, 1, 2, 3), all).output.shape, [0, 1, 2, 3]);
    });

    test('a batch entry without keys does not touch the others', () => {
      const { output } = engine.attention(zeros(2, 1, 1, 1), zeros(2, 1, 2, 1), { data: [1, 3, 5, 7], shape: [2, 1, 2, 1] }, { keyLengths: [0, 2] });
      assertClose(output.data, [0, 6]);
    });

    test('allow: true means "may attend"; a numeric bias is added', () => {
      const random = randomFrom(3);
      const [q, k, v] = [random.tensor([6, 4]), random.tensor([6, 4]), random.tensor([6, 4])];
      const triangle = Array.from({ length: 6 }, (_row, i) => Array.from({ length: 6 }, (_cell, j) => j <= i));
      const causal = engine.attention(q, k, v, { causal: true }).output.data;
      assert.deepEqual(engine.attention(q, k, v, { allow: triangle }).output.data, causal);
      assert.deepEqual(engine.attention(q, k, v, { allow: triangle.map((row) => row.map(() => true)) }).output.data, engine.attention(q, k, v).output.data);
      const two = (/** @type {Options} */ options) => engine.attention(zeros(1, 1), zeros(2, 1), column(0, 10), options).output.data[0];
      assertClose(two({ allow: [true, false] }), 0);
      assertClose(two({ bias: [1, 0] }), 2.689414);
      assertClose(two({ bias: [-Infinity, 0] }), 10);
    });

    test('masked keys and values have no influence, whatever they hold', () => {
      const output = engine.attention([[1], [1]], [[1], [NaN]], [[5], [Infinity]], { allowKeys: [true, false] }).output;
      assert.deepEqual(output.toNested(), [[5], [5]]);
    });

    test('a NaN or +Infinity score makes its row NaN and no other', () => {
      assertClose(engine.attention([[1], [NaN]], [[1], [1]], [[1], [3]]).output.toNested(), column(2, NaN));
      assertClose(engine.attention([[1], [-1]], [[Infinity], [1]], [[1], [3]]).output.toNested(), column(NaN, 3));
    });

    test('large scores: no overflow, and weights that underflow are exactly 0', () => {
      /** @param {number[]} scores */
      const at = (scores) => engine.attention([[1]], column(...scores), column(...scores.map(() => 1)), { scale: 1, returnWeights: true }).weights.data;
      assertClose(at([800, 0, 0]), [1, 0, 0]);
      assert.equal(at([800, 0, 0])[1], 0);
      assertClose(at([1e30, 1e30]), [0.5, 0.5]);
      const small = at([-5.204, 7.8325])[0];
      assert.ok(Math.abs(small / 2.1793e-6 - 1) < 1e-4, `weight ${small}`);
    });

    test('blocks: forbidden blocks are invisible', () => {
      const { output } = engine.attention(zeros(4, 1), zeros(4, 1), column(1, 2, 3, 4), { blocks: { size: [2, 2], allow: [[true, false], [true, true]] } });
      assertClose(output.toNested(), column(1.5, 1.5, 2.5, 2.5));
    });

    test('softcap bounds a score before the masks', () => {
      const { scores } = engine.attention([[1]], column(4, -4, 0), column(1, 1, 1), { scale: 1, softcap: 2, allowKeys: [true, true, false], returnScores: true });
      assertClose(scores.data, [2 * Math.tanh(2), -2 * Math.tanh(2), -Infinity]);
    });

    test('any tile size gives the same result within 1e-6', () => {
      const random = randomFrom(5);
      const [q, k, v] = [random.tensor([37, 9]), random.tensor([53, 9]), random.tensor([53, 7])];
      const expected = engine.attention(q, k, v, { causal: true }).output.data;
      for (const tile of [{ queries: 1, keys: 1 }, { queries: 4, keys: 8 }, { queries: 5, keys: 7 }, { queries: 1000, keys: 1000 }]) {
        assertClose(engine.attention(q, k, v, { causal: true, tile }).output.data, expected);
      }
    });

    test('the same call gives the same bits', () => {
      const random = randomFrom(6);
      const [q, k, v] = [random.tensor([50, 32]), random.tensor([50, 32]), random.tensor([50, 32])];
      const first = engine.attention(q, k, v).output.data;
      for (let i = 0; i < 3; i++) assert.deepEqual(engine.attention(q, k, v).output.data, first);
    });

    test('the report says what the call was', () => {
      const { report } = engine.attention(zeros(1, 4, 6, 8), zeros(1, 2, 6, 8), zeros(1, 2, 6, 3), { causal: true, window: 4 });
      const { flops, tilesVisited, tilesSkipped, workingBytes, ...rest } = report;
      assert.deepEqual(rest, { queryHeads: 4, kvHeads: 2, headDim: 8, valueDim: 3, window: 4, dtype: 'f32', kernel: variant === 'simd' ? 'simd128' : 'scalar', threads: 1 });
      for (const count of [flops, tilesVisited, tilesSkipped, workingBytes]) assert.ok(Number.isInteger(count) && count >= 0);
      assert.ok(flops > 0 && tilesVisited > 0 && workingBytes > 0);
      assert.equal(engine.attention(zeros(1, 1), zeros(1, 1), zeros(1, 1)).report.window, null);
    });

    test('results own their memory and inputs stay as they are', () => {
      const q = { data: new Float32Array([1, 0]), shape: [1, 2] };
      const first = engine.attention(q, q, [[7]]).output;
      engine.attention(zeros(100, 2), zeros(100, 2), zeros(100, 2));
      assert.deepEqual(first.toNested(), [[7]]);
      assert.deepEqual([...q.data], [1, 0]);
      assert.equal(first.data.buffer.byteLength, first.data.byteLength);
      const { weights, scores } = engine.attention(q, q, [[7]], { returnWeights: true, returnScores: true });
      weights.shape.reverse().push(1);
      assert.deepEqual(scores.shape, [1, 1]);
      assert.deepEqual(q.shape, [1, 2]);
    });
  });
}
