// Gradients: against finite differences, the reference, and by hand; refusals.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';
import { refuses } from './support/refuses.js';
import { column, zeros } from './support/tensors.js';

/** @typedef {import('attn-widgets').BackwardOptions} BackwardOptions */
/** @typedef {import('./support/tensors.js').Flat} Flat */

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const dot = (a, b) => Array.from(a).reduce((sum, x, i) => sum + x * b[i], 0);

for (const { variant, engine } of engines) {
  describe(`attentionBackward (${variant})`, () => {
    test('two keys by hand', () => {
      // P = ½, dP = 10 and 18, D = 14, dS = ∓2
      const { dQuery, dKey, dValue, report } = engine.attentionBackward([[0]], [[1], [-1]], [[5], [9]], [[2]], { scale: 3 });
      assertClose(dValue.toNested(), [[1], [1]]);
      assertClose(dQuery.toNested(), [[-12]]);
      assertClose(dKey.toNested(), [[0], [0]]);
      assert.equal(report.flops, 2 * 2 * 5);
      assert.deepEqual([report.dtype, report.tilesVisited, report.headDim], ['f32', 1, 1]);
    });

    test('central differences of the reference, over shapes, masks, softcap, bias and shared heads', () => {
      const random = randomFrom(61);
      for (let round = 0; round < 40; round++) {
        const [batch, kvHeads, group] = [random.whole(1, 2), random.whole(1, 2), random.whole(1, 2)];
        const [nq, nk, d, dv] = [random.whole(1, 5), random.whole(1, 5), random.whole(1, 4), random.whole(1, 4)];
        const tensors = [random.tensor([batch, kvHeads * group, nq, d]), random.tensor([batch, kvHeads, nk, d]), random.tensor([batch, kvHeads, nk, dv])];
        const [q, k, v] = tensors.map(({ data, shape }) => ({ data: Float64Array.from(data), shape }));
        const dOutput = random.tensor([batch, kvHeads * group, nq, dv]);
        /** @type {BackwardOptions} */
        const options = random.pick([
          {}, { causal: true }, { causal: true, softcap: 0.7, scale: 1.3 }, { bias: random.tensor([nq, nk]), scoring: { kind: 'dot' } },
          { keyLengths: Array.from({ length: batch }, () => random.whole(0, nk)), emptyRows: 'uniform' }, { window: 2, softcap: 2 },
          { maskMod: (/** @type {number} */ _b, /** @type {number} */ h, /** @type {number} */ i, /** @type {number} */ j) => (h + i + j) % 3 !== 0 },
        ]);
        const gradients = engine.reference.attentionBackward(q, k, v, dOutput, options);
        const loss = () => dot(engine.reference.attention(q, k, v, { ...options, returnWeights: false }).output.data, dOutput.data);
        for (const [name, { data }] of Object.entries({ dQuery: q, dKey: k, dValue: v })) {
          const differences = Array.from(data, (x, i) => {
            data[i] = x + 1e-5;
            const after = loss();
            data[i] = x - 1e-5;
            const before = loss();
            data[i] = x;
            return (after - before) / 2e-5;
          });
          assertClose(gradients[/** @type {'dQuery' | 'dKey' | 'dValue'} */ (name)].data, differences, 1e-8, `round ${round}: ${name}`);
        }
      }
    });

    test('the kernel is near the reference, in every rank and with any tile', () => {
      const random = randomFrom(62);
      for (const [queryShape, keyShape, dv] of /** @type {[number[], number[], number][]} */ ([
        [[70, 16], [130, 16], 9], [[4, 33, 5], [2, 40, 5], 8], [[2, 2, 65, 64], [2, 1, 65, 64], 64], [[300, 3], [1, 3], 2],
      ])) {
        const [q, k, v] = [random.tensor(queryShape), random.tensor(keyShape), random.tensor([...keyShape.slice(0, -1), dv])];
        const dOutput = random.tensor([...queryShape.slice(0, -1), dv]);
        for (const options of [{}, { causal: true, softcap: 1.5 }, { window: 7, tile: { queries: 5, keys: 11 } }]) {
          const got = engine.attentionBackward(q, k, v, dOutput, options);
          const want = engine.reference.attentionBackward(q, k, v, dOutput, options);
          assert.deepEqual([got.dQuery.shape, got.dKey.shape, got.dValue.shape], [q.shape, k.shape, v.shape]);
          for (const name of /** @type {const} */ (['dQuery', 'dKey', 'dValue'])) {
            assert.ok(got[name].data instanceof Float32Array && want[name].data instanceof Float64Array);
            assertClose(got[name].data, want[name].data, 2e-5, name);
          }
        }
      }
    });

    test('a masked key or value has no influence and a gradient of 0, whatever it holds', () => {
      for (const poison of [NaN, Infinity, -Infinity, 3e38]) {
        for (const options of [{ allowKeys: [true, false, true] }, { bias: [0, -Infinity, 0] }]) {
          for (const backward of [engine.attentionBackward, engine.reference.attentionBackward]) {
            const { dQuery, dKey, dValue } = backward(column(1, 2), column(1, poison, -1), column(3, poison, 5), column(1, 1), options);
            const clean = backward(column(1, 2), column(1, 0, -1), column(3, 0, 5), column(1, 1), options);
            assertClose([dQuery, dKey, dValue].map(({ data }) => data), [clean.dQuery, clean.dKey, clean.dValue].map(({ data }) => data));
            assert.deepEqual([dKey.data[1], dValue.data[1]], [0, 0]);
          }
        }
      }
    });

    test('working memory grows with the length, not with its square, whatever tile is asked for', () => {
      const bytes = (/** @type {number} */ n, /** @type {BackwardOptions} */ options = {}) =>
        engine.attentionBackward(zeros(n, 8), zeros(n, 8), zeros(n, 8), zeros(n, 8), { window: 8, ...options }).report.workingBytes;
      assert.ok(bytes(16384) <= 2.1 * bytes(8192));
      assert.ok(bytes(8192, { tile: { queries: 8192, keys: 64 } }) <= 4.1 * bytes(8192));
    });

    test('without the scale the softmax saturates, and hardly any gradient comes through', () => {
      // Scores of 8 and 0: a weight of 0.9997 moves by 3e-4 of what its score does, at 1/√64 of that by 0.2.
      const query = [Array(64).fill(1)];
      const keys = [Array(64).fill(1 / 8), Array(64).fill(0)];
      const through = (/** @type {number} */ scale) => Math.abs(engine.attentionBackward(query, keys, [[1], [0]], [[1]], { scale }).dQuery.data[0]) * 8 / scale;
      assertClose([through(1), through(1 / 8)], [0.000335, 0.196612], 1e-6);
    });

    test('refusals', () => {
      const [q, k, v, dO] = [column(1, 2), column(1, 2, 3), column(1, 2, 3), column(1, 1)];
      const refused = (/** @type {any} */ options, /** @type {typeof TypeError | typeof RangeError} */ kind, /** @type {string} */ sentence) =>
        refuses(engine, () => engine.attentionBackward(q, k, v, dO, options), kind, sentence);
      refused({ scoreMod: (/** @type {number} */ s) => s }, TypeError, 'scoreMod: expected none in attentionBackward, which cannot differentiate a function, got a function');
      refused({ trace: true }, TypeError, 'trace: expected false in attentionBackward, which leaves none, got true');
      refused({ scoring: { kind: 'cosine' } }, TypeError, "scoring.kind: expected 'scaled-dot' or 'dot' in attentionBackward, which knows no other gradient, got \"cosine\"");
      refused({ returnWeights: true }, TypeError, 'options: expected known names (scale, scoring, softcap, scoreMod, bias, causal, queryOffset, window, keyLengths, allowKeys, allow, blocks, maskMod, emptyRows, trace, tile), got "returnWeights"');
      refuses(engine, () => engine.reference.attentionBackward(q, k, v, dO, { scoring: { kind: /** @type {any} */ ('cosine') } }), TypeError,
        "scoring.kind: expected 'scaled-dot' or 'dot' in reference.attentionBackward, which knows no other gradient, got \"cosine\"");
      refuses(engine, () => engine.attentionBackward(q, k, v, column(1)), RangeError, 'dOutput: expected shape [2, 1] like the output, got [1, 1]');
      refuses(engine, () => engine.attentionBackward(q, k, v, /** @type {any} */ (undefined)), TypeError, 'dOutput: expected nested arrays of numbers or {data, shape}, got undefined');
      refuses(engine, () => engine.attentionBackward(q, k, v, /** @type {any} */ ([['1'], ['2']])), TypeError, 'dOutput: expected a number at [0][0], got "1"');
    });

    test('nothing to attend from or to', () => {
      assertClose(engine.attentionBackward([], [[1]], [[2]], []).dKey.toNested(), [[0]]);
      assertClose(engine.attentionBackward([[1]], [], [], [[1]]).dQuery.toNested(), [[0]]);
    });
  });
}
