// scoreMod and maskMod: functions of the caller's, cell by cell.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';
import { refuses } from './support/refuses.js';

/** @typedef {import('attn-widgets').ScoreMod} ScoreMod */

for (const { variant, engine } of engines) {
  describe(`scoreMod and maskMod (${variant})`, () => {
    const random = randomFrom(41);
    const [q, k, v] = [random.tensor([2, 4, 5, 3]), random.tensor([2, 2, 6, 3]), random.tensor([2, 2, 6, 2])];
    const cells = 2 * 4 * 5 * 6;

    test('a scoreMod that changes nothing changes nothing', () => {
      for (const options of [{}, { causal: true, softcap: 0.5 }, { scale: -2, bias: [0, 1, 2, -Infinity, 4, 5] }, { scoring: /** @type {const} */ ({ kind: 'cosine' }), window: 2 }]) {
        const scoreMod = (/** @type {number} */ score) => score;
        assert.deepEqual(engine.reference.attention(q, k, v, { ...options, scoreMod }), engine.reference.attention(q, k, v, options));
        assert.deepEqual(engine.reference.scores(q, k, { ...options, scoreMod }), engine.reference.scores(q, k, options));
        assertClose(engine.scores(q, k, { ...options, scoreMod }).data, engine.scores(q, k, options).data, 1e-7);
        assertClose(engine.attention(q, k, v, { ...options, scoreMod }).output.data, engine.attention(q, k, v, options).output.data, 2e-6);
      }
    });

    test('it gets the scaled and capped score and its place, heads being those of the queries', () => {
      /** @type {number[][]} */
      const asked = [];
      engine.attention(q, k, v, { scale: 3, softcap: 2, bias: [100, 0, 0, 0, 0, 0], scoreMod: (...call) => asked.push(call) && 0 });
      assert.equal(asked.length, cells);
      const scores = engine.reference.scores(q, k, { scale: 3, softcap: 2 }).toNested();
      for (const [score, b, h, i, j] of asked) assert.equal(score, scores[b][h][i][j]);
      assert.equal(new Set(asked.map(([, ...place]) => place.join())).size, cells);
    });

    test('bias comes after it, then masks', () => {
      const options = { bias: [10, 20, 30], allowKeys: [true, true, false], scoreMod: (/** @type {number} */ score) => -score };
      assert.deepEqual(engine.scores([[1]], [[1], [2], [3]], { ...options, scale: 1 }).toNested(), [[9, 18, -Infinity]]);
    });

    test('relative position, ALiBi and −Infinity as functions', () => {
      const byFunction = engine.attention(q, k, v, { scoreMod: (score, _b, h, i, j) => score - (h + 1) * Math.abs(i + 1 - j) });
      const bias = { data: Float64Array.from({ length: 4 * 5 * 6 }, (_, c) => -(Math.floor(c / 30) + 1) * Math.abs((Math.floor(c / 6) % 5) + 1 - (c % 6))), shape: [4, 5, 6] };
      assertClose(byFunction.output.data, engine.attention(q, k, v, { bias }).output.data, 2e-6);
      const causal = engine.attention(q, k, v, { scoreMod: (score, _b, _h, i, j) => (j <= i + 1 ? score : -Infinity), returnWeights: true });
      const masked = engine.attention(q, k, v, { causal: true, returnWeights: true });
      assertClose(causal.output.data, masked.output.data, 2e-6);
      assert.ok(causal.weights.data.every((weight, c) => (weight === 0) === (masked.weights.data[c] === 0)));
    });

    test('NaN and Infinity break their row, whatever its tile', () => {
      for (const tile of [{ queries: 1, keys: 1 }, { queries: 4, keys: 3 }, { queries: 64, keys: 64 }]) {
        for (const bad of [NaN, Infinity]) {
          const { output } = engine.attention(q, k, v, { tile, scoreMod: (score, b, h, i, j) => (b === 1 && h === 2 && i === 3 && j === 4 ? bad : score) });
          output.data.forEach((x, place) => assert.equal(Number.isNaN(x), Math.floor(place / 2) === (1 * 4 + 2) * 5 + 3));
        }
      }
    });

    test('scores of any size', () => {
      const { output, weights } = engine.attention([[1], [1]], [[1], [2]], [[1], [3]], { returnWeights: true, scoreMod: (_score, _b, _h, i, j) => (i === 0 ? 1e12 + j : -1e300 * (j + 1)) });
      assertClose(weights.data, [1 / (1 + Math.E), Math.E / (1 + Math.E), 1, 0]);
      assertClose(output.data, [1 + (2 * Math.E) / (1 + Math.E), 1]);
    });

    test('a maskMod is a mask, in all calls and together with the others', () => {
      const maskMod = (/** @type {number} */ b, /** @type {number} */ h, /** @type {number} */ i, /** @type {number} */ j) => (b + h + i + j) % 3 !== 0;
      const allow = { data: Uint8Array.from({ length: cells }, (_, c) => Number(maskMod(Math.floor(c / 120), Math.floor(c / 30) % 4, Math.floor(c / 6) % 5, c % 6))), shape: [2, 4, 5, 6], dtype: /** @type {const} */ ('bool') };
      for (const options of [{}, { causal: true, allowKeys: [true, true, false, true, true, true] }, { keyLengths: [6, 2], window: 3 }]) {
        assert.deepEqual(engine.attention(q, k, v, { ...options, maskMod }).output, engine.attention(q, k, v, { ...options, allow }).output);
        assert.deepEqual(engine.reference.attention(q, k, v, { ...options, maskMod }), engine.reference.attention(q, k, v, { ...options, allow }));
        assert.deepEqual(engine.scores(q, k, { ...options, maskMod }), engine.scores(q, k, { ...options, allow }));
        const sizes = { batch: 2, heads: 4, queries: 5, keys: 6 };
        assert.deepEqual(engine.mask({ ...sizes, ...options, maskMod }), engine.mask({ ...sizes, ...options, allow }));
      }
      const allowHead = [[[true, false], [false, true]], [[true, true], [true, true]]];
      assert.deepEqual(engine.mask({ heads: 2, queries: 2, keys: 2, allow: allowHead, maskMod: (_b, h, i) => h === 0 || i === 1 }).toNested(), [[[true, false], [false, true]], [[false, false], [true, true]]]);
    });

    test('only what the other masks let be visible is asked about; forbidden keys may hold anything', () => {
      /** @type {string[]} */
      const asked = [];
      const options = {
        causal: true,
        maskMod: (/** @type {number} */ _b, /** @type {number} */ _h, /** @type {number} */ i, /** @type {number} */ j) => asked.push(`mask ${i} ${j}`) > 0 && j !== 0,
        scoreMod: (/** @type {number} */ score, /** @type {number} */ _b, /** @type {number} */ _h, /** @type {number} */ i, /** @type {number} */ j) => (asked.push(`score ${i} ${j}`) > 0 ? score : NaN),
      };
      const { output } = engine.attention([[1], [1]], [[NaN], [1]], [[NaN], [7]], options);
      assert.deepEqual(asked, ['mask 0 0', 'mask 1 0', 'mask 1 1', 'score 1 1']);
      assert.deepEqual(output.toNested(), [[0], [7]]);
    });

    test('what is asked about in float32 are the float32 inputs', () => {
      /** @type {number[]} */
      const scores = [];
      const scoreMod = (/** @type {number} */ score) => scores.push(score);
      engine.scores([[0.1]], [[1]], { scale: 1, scoreMod });
      engine.reference.scores([[0.1]], [[1]], { scale: 1, scoreMod });
      assert.deepEqual(scores, [Math.fround(0.1), 0.1]);
    });

    test('attentionAsync asks before it returns', async () => {
      let asked = 0;
      const call = engine.attentionAsync(q, k, v, { scoreMod: (score) => (asked++, score * 2), maskMod: (_b, _h, i, j) => i !== j });
      assert.equal(asked, cells - 2 * 4 * 5);
      assert.deepEqual((await call).output, engine.attention(q, k, v, { scoreMod: (score) => score * 2, maskMod: (_b, _h, i, j) => i !== j }).output);
    });

    test('a function may use the engine itself', () => {
      const scoreMod = (/** @type {number} */ score) => engine.softmax([score, 0]).data[0];
      const { scores } = engine.attention([[2]], [[1], [0]], [[1], [0]], { scale: 1, scoreMod, returnScores: true });
      assertClose(scores.data, [1 / (1 + Math.exp(-2)), 0.5]);
    });

    test('what it throws comes out as it is, and the next call works', () => {
      const mine = new Error('mine');
      for (const name of ['scoreMod', 'maskMod']) {
        const options = { [name]: () => { throw mine; } };
        assert.throws(() => engine.attention(q, k, v, options), (error) => error === mine);
      }
      assert.equal(engine.attention([[1]], [[1]], [[3]]).output.data[0], 3);
    });

    test('answers of the wrong kind are refused, and so are other things than functions', () => {
      const call = (/** @type {any} */ options) => () => engine.attention([[1], [2]], [[1], [2]], [[1], [2]], options);
      refuses(engine, call({ scoreMod: () => undefined }), TypeError, 'scoreMod: expected a number for b 0, h 0, i 0, j 0, got undefined');
      refuses(engine, call({ scoreMod: (/** @type {number} */ s, /** @type {number} */ _b, /** @type {number} */ _h, /** @type {number} */ i, /** @type {number} */ j) => (i && j ? '1' : s) }), TypeError, 'scoreMod: expected a number for b 0, h 0, i 1, j 1, got "1"');
      refuses(engine, call({ maskMod: () => 1 }), TypeError, 'maskMod: expected true or false for b 0, h 0, i 0, j 0, got 1');
      refuses(engine, call({ scoreMod: 'causal' }), TypeError, 'scoreMod: expected a function, got "causal"');
      refuses(engine, call({ maskMod: true }), TypeError, 'maskMod: expected a function, got true');
      refuses(engine, () => engine.mask({ queries: 1, keys: 1, maskMod: /** @type {any} */ (() => null) }), TypeError, 'maskMod: expected true or false for b 0, h 0, i 0, j 0, got null');
    });

    test('sizes whose cells memory cannot hold are refused before anything is asked', () => {
      const long = { data: new Float32Array(32768), shape: [32768, 1] };
      refuses(engine, () => engine.attention(long, long, long, { scoreMod: () => assert.fail('asked') }), RangeError, /^attention: expected a call that needs at most 268435456 bytes, got one that needs \d+ bytes \(most of it for mask of shape \[1, 1, 32768, 32768\]\)$/);
    });
  });
}
