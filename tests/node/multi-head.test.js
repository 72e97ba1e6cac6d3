// Multi-head attention: projections around attention, in every combination; refusals.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';
import { refuses } from './support/refuses.js';
import { zeros } from './support/tensors.js';

/** @typedef {import('./support/tensors.js').Flat} Flat */

/** x·W + b [.., n, out], of rank 2 or 3. @param {Flat} x @param {Flat} w @param {Flat} [bias] */
function project(x, w, bias) {
  const [from, to] = w.shape;
  const rows = x.data.length / from;
  const data = new Float64Array(rows * to);
  for (let row = 0; row < rows; row++) {
    for (let c = 0; c < to; c++) {
      let sum = bias ? bias.data[c] : 0;
      for (let i = 0; i < from; i++) sum += x.data[row * from + i] * w.data[i * to + c];
      data[row * to + c] = sum;
    }
  }
  return { data, shape: [...x.shape.slice(0, -1), to] };
}

/** [B, n, heads·width] or [n, heads·width] → [B, heads, n, width]. @param {{ data: Float64Array, shape: number[] }} joined @param {number} heads */
function split({ data, shape }, heads) {
  const [n, whole] = shape.slice(-2);
  const batch = shape.length === 3 ? shape[0] : 1;
  const width = whole / heads;
  const by = (/** @type {number} */ place) => {
    const [c, i, h, b] = [place % width, Math.floor(place / width) % n, Math.floor(place / width / n) % heads, Math.floor(place / width / n / heads)];
    return data[(b * n + i) * whole + h * width + c];
  };
  return { data: Float64Array.from(data, (_, place) => by(place)), shape: [batch, heads, n, width] };
}

/** The other way round, to rank 2 or 3. @param {{ data: Float64Array, shape: number[] }} heads @param {number} rank */
function join({ data, shape: [batch, heads, n, width] }, rank) {
  const joined = new Float64Array(data.length);
  data.forEach((x, place) => {
    const [c, i, h, b] = [place % width, Math.floor(place / width) % n, Math.floor(place / width / n) % heads, Math.floor(place / width / n / heads)];
    joined[((b * n + i) * heads + h) * width + c] = x;
  });
  return { data: joined, shape: rank === 3 ? [batch, n, heads * width] : [n, heads * width] };
}

for (const { variant, engine } of engines) {
  describe(`multiHeadAttention (${variant})`, () => {
    test('attention between projections: self and cross, ranks, groups, biases, with and without wo', () => {
      const random = randomFrom(91);
      for (let round = 0; round < 40; round++) {
        const [kvHeads, group, d, dv] = [random.whole(1, 3), random.whole(1, 2), random.whole(1, 5), random.whole(1, 5)];
        const heads = kvHeads * group;
        const [nq, m, mo] = [random.whole(1, 6), random.whole(1, 70), random.whole(1, 9)];
        const leading = random.pick([[], [2]]);
        const cross = random.pick([true, false]);
        const [nk, mk] = cross ? [random.whole(1, 7), random.whole(1, 8)] : [nq, m];
        const x = random.tensor([...leading, nq, m]);
        const context = cross ? random.tensor([...leading, nk, mk]) : undefined;
        const contextValues = cross && random.pick([true, false]) ? random.tensor([...leading, nk, 3]) : undefined;
        const biased = random.pick([true, false]);
        const layer = (/** @type {number} */ from, /** @type {number} */ to) => {
          const weights = random.tensor([from, to]);
          weights.data.forEach((w, i) => (weights.data[i] = w / Math.sqrt(from)));
          return weights;
        };
        const wo = random.pick([true, false]) ? layer(heads * dv, mo) : undefined;
        const layers = {
          wq: layer(m, heads * d), wk: layer(mk, kvHeads * d), wv: layer(contextValues ? 3 : mk, kvHeads * dv), wo,
          ...(biased && { bq: random.tensor([heads * d]), bk: random.tensor([kvHeads * d]), bv: random.tensor([kvHeads * dv]), ...(wo && { bo: random.tensor([mo]) }) }),
        };
        const options = random.pick([{}, { causal: true }, { softcap: 2, window: 3 }, { allowKeys: Array.from({ length: nk }, () => random.next() < 0.7) }]);
        const from = context ?? x;
        const q = split(project(x, layers.wq, layers.bq), heads);
        const k = split(project(from, layers.wk, layers.bk), kvHeads);
        const v = split(project(contextValues ?? from, layers.wv, layers.bv), kvHeads);
        const inside = engine.reference.attention(q, k, v, { ...options, returnLogSumExp: true, returnScores: true });
        const joined = join(inside.output, x.shape.length);
        const output = wo ? project(/** @type {any} */ (joined), wo, layers.bo) : joined;

        for (const [method, tolerance] of /** @type {const} */ ([[engine.reference.multiHeadAttention, 1e-13], [engine.multiHeadAttention, 5e-6]])) {
          const got = method(x, { ...layers, heads, ...(group > 1 && { kvHeads }), context, contextValues, ...options, returnHeads: true, returnWeights: true, returnScores: true, returnLogSumExp: true });
          assert.deepEqual(got.output.shape, output.shape);
          assert.deepEqual(got.weights.shape, [...leading, heads, nq, nk]);
          assert.deepEqual(got.heads.shape, [...leading, heads, nq, dv]);
          assertClose(got.output.data, output.data, tolerance, `round ${round}: output`);
          assertClose(got.heads.data, inside.output.data, tolerance, `round ${round}: heads`);
          assertClose(got.weights.data, inside.weights.data, tolerance, `round ${round}: weights`);
          assertClose(got.scores.data, inside.scores.data, tolerance, `round ${round}: scores`);
          assertClose(got.logSumExp.data, inside.logSumExp.data, tolerance, `round ${round}: logSumExp`);
        }
      }
    });

    const identity = [[1, 0], [0, 1]];
    const layers = { wq: identity, wk: identity, wv: identity, heads: 1 };

    test('by identities it is attention; the outputs there are, and the report', () => {
      const x = [[1, 2], [3, 4]];
      const result = engine.multiHeadAttention(x, layers);
      assert.deepEqual(Object.keys(result), ['output', 'report']);
      assert.deepEqual(Object.keys(engine.reference.multiHeadAttention(x, layers)), ['output', 'weights']);
      assertClose(result.output.data, engine.attention(x, x, x).output.data);
      const { report } = engine.multiHeadAttention(x, { ...layers, heads: 2, kvHeads: 2, wo: identity, window: 3 });
      assert.deepEqual([report.queryHeads, report.kvHeads, report.headDim, report.valueDim, report.window], [2, 2, 1, 1, 3]);
      assert.equal(report.flops, 2 * 2 * 2 * 2 * (1 + 1) + 4 * 2 * 2 * 2 * 2);
    });

    test('A14: the default scale is that of one head, not of the whole width', () => {
      const eye = Array.from({ length: 8 }, (_, i) => Array.from({ length: 8 }, (__, j) => Number(i === j)));
      const context = [[2, 0, 0, 0, 2, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]];
      for (const method of [engine.multiHeadAttention, engine.reference.multiHeadAttention]) {
        const { weights } = method([context[0]], { wq: eye, wk: eye, wv: eye, heads: 2, context, returnWeights: true });
        assertClose(weights.toNested().map(([[first]]) => first), [0.880797, 0.880797]);
      }
    });

    test('A15 A17: query head h has key/value head ⌊h·Hk/Hq⌋, and values of their own width', () => {
      const constants = { wq: zeros(1, 4), wk: zeros(1, 2), wv: zeros(1, 6), bv: [10, 11, 12, 20, 21, 22], heads: 4, kvHeads: 2 };
      for (const method of [engine.multiHeadAttention, engine.reference.multiHeadAttention]) {
        assertClose(method([[1]], constants).output.toNested(), [[10, 11, 12, 10, 11, 12, 20, 21, 22, 20, 21, 22]]);
      }
    });

    test('A26: weights of every head, never averaged', () => {
      const wide = { data: new Float32Array(36).map((_, i) => Math.sin(i)), shape: [6, 6] };
      const { weights } = engine.multiHeadAttention({ data: wide.data, shape: [1, 6, 6] }, { wq: wide, wk: wide, wv: wide, heads: 3, returnWeights: true });
      assert.deepEqual(weights.shape, [1, 3, 6, 6]);
      for (let row = 0; row < 18; row++) assertClose(weights.data.subarray(row * 6, row * 6 + 6).reduce((a, b) => a + b), 1);
      assert.notDeepEqual(weights.data.subarray(0, 36), weights.data.subarray(36, 72));
    });

    test('all options of attention, functions and scorings too', () => {
      const random = randomFrom(92);
      const [x, w] = [random.tensor([5, 4]), random.tensor([4, 4])];
      const own = { wq: w, wk: w, wv: w, heads: 2 };
      const heads = split(project(x, w), 2);
      for (const options of /** @type {const} */ ([
        { scoreMod: (/** @type {number} */ score, /** @type {number} */ _b, /** @type {number} */ h, /** @type {number} */ i, /** @type {number} */ j) => score * (1 + h) - Math.abs(i - j) },
        { maskMod: (/** @type {number} */ _b, /** @type {number} */ _h, /** @type {number} */ i, /** @type {number} */ j) => (i + j) % 3 > 0, scale: 2 },
        { scoring: { kind: 'cosine' }, tile: { queries: 1, keys: 2 } }, { bias: [[0, 1, 2, 3, -Infinity]], emptyRows: 'uniform' },
      ])) {
        const expected = join(engine.reference.attention(heads, heads, heads, options).output, 2);
        assertClose(engine.reference.multiHeadAttention(x, { ...own, ...options }).output.data, expected.data, 1e-13);
        assertClose(engine.multiHeadAttention(x, { ...own, ...options }).output.data, expected.data, 5e-6);
      }
      const additive = /** @type {const} */ ({ kind: 'general', w: [[1, 2, 3], [0, 1, 0]] });
      const wide = random.tensor([4, 6]);
      const expected = join(engine.reference.attention(heads, split(project(x, wide), 2), heads, { scoring: additive }).output, 2);
      assertClose(engine.multiHeadAttention(x, { ...own, wk: wide, scoring: additive }).output.data, expected.data, 5e-6);
    });

    test('a masked row of the context has no influence, whatever it holds', () => {
      const context = [[1, 2], [NaN, Infinity], [3, 4]];
      const options = { ...layers, context, allowKeys: [true, false, true] };
      const clean = engine.multiHeadAttention([[1, 1]], { ...options, context: [[1, 2], [0, 0], [3, 4]] });
      assertClose(engine.multiHeadAttention([[1, 1]], options).output.data, clean.output.data);
    });

    test('no queries are no work, however many batch entries they are missing from', () => {
      const x = { data: new Float32Array(0), shape: [2 ** 31 - 1, 0, 2] };
      const start = performance.now();
      assert.deepEqual(engine.multiHeadAttention(x, layers).output.shape, [2 ** 31 - 1, 0, 2]);
      assert.deepEqual(engine.reference.multiHeadAttention(x, layers).output.shape, [2 ** 31 - 1, 0, 2]);
      assert.ok(performance.now() - start < 5000);
    });

    test('refusals', () => {
      const x = [[1, 2], [3, 4]];
      const refused = (/** @type {any} */ options, /** @type {typeof TypeError | typeof RangeError} */ kind, /** @type {string | RegExp} */ sentence, /** @type {any} */ input = x) =>
        refuses(engine, () => engine.multiHeadAttention(input, options), kind, sentence);
      refused(undefined, TypeError, 'options: expected an object, got undefined');
      refused({ ...layers, wq: undefined }, TypeError, 'wq: expected nested arrays of numbers or {data, shape}, got undefined');
      refused({ ...layers, heads: undefined }, TypeError, /^heads: expected a whole number from 1 to \d+, got undefined$/);
      refused({ ...layers, heads: 2, kvHeads: 3 }, RangeError, 'q and k: expected query heads to be a multiple of the key/value heads, got 2 query heads and 3 key/value heads');
      refused({ ...layers, heads: 3 }, RangeError, 'wq: expected shape [2, a multiple of 3] (width of x by heads × width of a head), got [2, 2]');
      refused({ ...layers, wk: [[1, 0]] }, RangeError, 'wk: expected shape [2, a multiple of 1] (width of the context by heads × width of a head), got [1, 2]');
      refused({ ...layers, wk: [[1], [2]] }, RangeError, 'k: expected width 2 like q, got 1');
      refused({ ...layers, bq: [1] }, RangeError, 'bq: expected shape [2] (columns of wq), got [1]');
      refused({ ...layers, wo: [[1, 2]] }, RangeError, 'wo: expected shape [2, at least 1] (heads × width of a value by width of the output), got [1, 2]');
      refused({ ...layers, bo: [1, 2] }, TypeError, 'bo: expected nothing without wo, got a bias');
      refused({ ...layers, context: [x] }, RangeError, 'context: expected rank 2 like x, got rank 3');
      refused({ ...layers, context: zeros(3, 1, 2) }, RangeError, 'context: expected batch 2 like x, got 3', zeros(2, 1, 2));
      refused({ ...layers, contextValues: [[1, 2]] }, RangeError, 'contextValues: expected number of keys 2 like context, got 1');
      refused(layers, RangeError, 'x: expected rank 2 or 3, got rank 1 (shape [2])', [1, 2]);
      refused(layers, RangeError, 'x: expected rows of at least 1 value, got shape [2, 0]', zeros(2, 0));
      refused({ ...layers, trace: true }, TypeError, 'trace: expected false in multiHeadAttention, which leaves none, got true');
      refused({ ...layers, returnHeads: 1 }, TypeError, 'returnHeads: expected true or false, got 1');
      refused({ ...layers, wQ: identity }, TypeError, 'options: expected known names (did you mean "wq"?), got "wQ"');
      refused({ ...layers, causal: 1 }, TypeError, 'causal: expected true or false, got 1');
    });
  });
}
