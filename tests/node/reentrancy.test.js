// Inputs and functions of the caller's own making: what they say of themselves, and what they do in the middle of a call.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { freshEngine } from './support/fresh-engine.js';
import { assertStillRight, refuses } from './support/refuses.js';

const [q, k, v] = [[[1, 2]], [[1, 0], [0, 1]], [[1], [2]]];

for (const { variant, engine } of engines) {
  /** @param {any} data @param {any} [shape] */
  const attend = (data, shape = [1, 2]) => engine.attention({ data, shape }, k, v, { scale: 1 }).output.data;
  const expected = attend([1, 2]);

  describe(`inputs of another making (${variant})`, () => {
    test('a typed array has the length it has, whatever it says', () => {
      const saying = (/** @type {number} */ length) => class extends Float32Array {
        get length() {
          return length;
        }
      };
      const [Short, Long] = [saying(2), saying(4)];
      refuses(engine, () => attend(new Short(300_000)), RangeError, 'q: expected 2 values (queries 1 × headDim 2), got 300000');
      refuses(engine, () => engine.attention(q, { data: new Long(1), shape: [2, 2] }, v), RangeError, 'k: expected 4 values (keys 2 × headDim 2), got 1');
      assert.deepEqual(attend(new Long([1, 2])), expected);
      const own = Object.defineProperty(new Float32Array(300_000), 'length', { value: 2 });
      refuses(engine, () => attend(own), RangeError, 'q: expected 2 values (queries 1 × headDim 2), got 300000');
      const weights = new (saying(1))([1, NaN]);
      refuses(engine, () => engine.explain.equalOutputWeights({ data: weights, shape: [2] }, v), RangeError, 'weights[1]: expected a number from 0 to 1, got NaN');
    });

    test('a length that uses the engine does not get between a call and its result', () => {
      let asked = 0;
      class Busy extends Float32Array {
        get length() {
          if (asked++ % 2 === 0) engine.attention([[9]], [[9]], [[9]], { causal: true });
          return super.length;
        }
      }
      assert.deepEqual(attend(new Busy([1, 2])), expected);
    });

    test('what a class says of itself is not asked for, where it could use the engine', () => {
      class Busy extends Float64Array {
        get [Symbol.toStringTag]() {
          engine.attention([[9]], [[9]], [[9]], { causal: true });
          return /** @type {const} */ ('Float64Array');
        }
      }
      assert.deepEqual(attend(new Busy([1, 2])), expected);
      const cache = engine.createKvCache({ kvHeads: 1, headDim: 2, valueDim: 1 });
      const k2 = Object.defineProperty(new Float64Array(2), Symbol.toStringTag, { get: () => cache.dispose() });
      cache.append({ data: k2, shape: [1, 2] }, [[3]]);
      assert.deepEqual([...cache.attend(q).output.data], [3]);
    });

    test('a proxy of a typed array is none', () => {
      const behind = new Proxy(new Float32Array([1, 2]), { get: (target, key) => (key === 'length' ? 2 : Reflect.get(target, key, target)) });
      refuses(engine, () => attend(behind), TypeError, /^q: expected a value that can be read, got an error while reading it/);
      const posing = Object.create(Float32Array.prototype, { length: { value: 2 }, 0: { value: 1 }, 1: { value: 2 } });
      refuses(engine, () => attend(posing), TypeError, /^q: expected a value that can be read, got an error while reading it/);
    });
  });

  describe(`functions in the middle of a call (${variant})`, () => {
    const once = (/** @type {() => void} */ act) => {
      let asked = 0;
      return () => (asked++ || act(), true);
    };

    test('that transfer an input away', () => {
      for (const [name, call] of Object.entries({
        q: (/** @type {any} */ input, /** @type {any} */ maskMod) => engine.attention(input, k, v, { maskMod }),
        x: (/** @type {any} */ input, /** @type {any} */ maskMod) => engine.multiHeadAttention(input, { wq: k, wk: k, wv: k, heads: 1, maskMod }),
        v: (/** @type {any} */ input, /** @type {any} */ maskMod) => engine.explain.leaveOneOut(q, k, { ...input, shape: [2, 1] }, { maskMod }),
        dOutput: (/** @type {any} */ input, /** @type {any} */ maskMod) => engine.attentionBackward(q, k, k, input, { maskMod }),
      })) {
        const input = { data: new Float32Array(2), shape: [1, 2] };
        const away = once(() => void structuredClone(input.data.buffer, { transfer: [input.data.buffer] }));
        refuses(engine, () => call(input, away), RangeError, `${name}: expected the 2 values it had when the call began, got 0`);
      }
    });

    test('that make the same call themselves', () => {
      let depth = 0;
      /** @param {number} score @returns {number} */
      const scoreMod = (score) => (depth++ < 20 ? engine.attention(q, k, v, { scoreMod }).output.data[0] : score);
      assert.ok(engine.attention(q, k, v, { scoreMod }).output.data[0] > 1);
      const layer = { wq: k, wk: k, wv: k, heads: 1 };
      const nested = engine.multiHeadAttention(q, { ...layer, context: k, scoreMod: (score) => score + 0 * engine.multiHeadAttention(q, layer).output.data[0] });
      assertClose(nested.output.data, engine.multiHeadAttention(q, { ...layer, context: k }).output.data);
    });

    test('that dispose of the engine', async () => {
      const fresh = await freshEngine(variant);
      const gone = { name: 'TypeError', message: 'attention: expected a live engine, got one that was disposed; call loadEngine() for a new one' };
      assert.throws(() => fresh.attention(q, k, v, { maskMod: once(() => fresh.dispose()) }), gone);
      assert.throws(() => fresh.attention(q, k, v), gone);
    });

    test('that call themselves without end', () => {
      /** @param {number} score @returns {number} */
      const scoreMod = (score) => engine.attention(q, k, v, { scoreMod }).output.data[0] + score;
      for (let round = 0; round < 20; round++) {
        assert.throws(() => engine.attention(q, k, v, { scoreMod }), RangeError);
        assertStillRight(engine);
      }
    });
  });

  test(`a stack that overflows within the core costs the instance, not the engine (${variant})`, async () => {
    const fresh = await freshEngine(variant);
    const x = { data: Float32Array.from({ length: 512 }, (_, i) => Math.sin(i)), shape: [32, 16] };
    const call = () => fresh.attention(x, x, x, { causal: true, returnWeights: true }).output.data;
    const expectedOutput = call();
    /** @param {number} depth @param {() => unknown} then @returns {unknown} */
    const deep = (depth, then) => (depth > 0 ? [deep(depth - 1, then)] : then());
    const overflows = (/** @type {number} */ depth) => {
      try {
        deep(depth, call);
        return false;
      } catch (error) {
        assert.match(String(error), /^RangeError: .*(stack|memory)/);
        return true;
      }
    };
    for (let round = 0; round < 40; round++) {
      let [fits, fails] = [1000, 100_000];
      while (fails - fits > 1) {
        const middle = Math.floor((fits + fails) / 2);
        if (overflows(middle)) fails = middle;
        else fits = middle;
      }
      for (let depth = fits - 2; depth < fits + 12; depth++) overflows(depth);
      assert.deepEqual(call(), expectedOutput);
    }
    fresh.dispose();
  });
}
