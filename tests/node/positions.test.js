import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';
import { refuses } from './support/refuses.js';

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const dot = (a, b) => Array.from(a).reduce((sum, x, c) => sum + x * b[c], 0);

for (const { variant, engine } of engines) {
  const { rope, alibi, sinusoidal } = engine.positions;

  describe(`rope (${variant})`, () => {
    test('pairs of components are turned by position · base^(−2c/dims)', () => {
      const rows = rope([[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]], { base: 100, offset: 5 }).toNested();
      rows.forEach((row, i) => {
        const [fast, slow] = [5 + i, (5 + i) / 10];
        const turned = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ t) => [a * Math.cos(t) - b * Math.sin(t), a * Math.sin(t) + b * Math.cos(t)];
        const [[first, third], [second, fourth]] = [turned(1, 3, fast), turned(2, 4, slow)];
        assertClose(row, [first, second, third, fourth], 5e-7);
        const [[a, b], [c, d]] = [turned(1, 2, fast), turned(3, 4, slow)];
        assertClose(rope([[1, 2, 3, 4]], { base: 100, offset: 5 + i, interleaved: true }).data, [a, b, c, d], 5e-7);
      });
    });

    test('every head and batch entry has the same positions', () => {
      const x = randomFrom(51).tensor([2, 3, 5, 6]);
      const turned = rope(x, { offset: -2, dims: 4 }).toNested();
      const rows = (/** @type {number} */ start) => Array.from({ length: 5 }, (_, i) => Array.from(x.data.subarray(start + 6 * i, start + 6 * i + 6)));
      for (const [b, h] of [[0, 0], [0, 2], [1, 1]]) {
        const alone = rows((b * 3 + h) * 30);
        assert.deepEqual(turned[b][h], rope(alone, { offset: -2, dims: 4 }).toNested());
        turned[b][h].forEach((/** @type {number[]} */ row, /** @type {number} */ i) => assert.deepEqual(row.slice(4), alone[i].slice(4)));
        assert.deepEqual(turned[b][h][2], alone[2]);
      }
    });

    test('attention depends on distances alone, however far away', () => {
      const random = randomFrom(52);
      const [q, k, v] = [random.tensor([4, 8]), random.tensor([4, 8]), random.tensor([4, 3])];
      const at = (/** @type {number} */ offset) => engine.attention(rope(q, { offset }), rope(k, { offset }), v, { causal: true }).output.data;
      for (const offset of [1, 1000003, 2 ** 40 + 1, 2 ** 52, -(2 ** 52)]) assertClose(at(offset), at(0), 1e-6);
      assertClose(Math.hypot(...rope(q, { offset: 77 }).data), Math.hypot(...q.data), 1e-6);
    });

    test('the input stays as it is', () => {
      const x = { data: Float32Array.of(1, 2), shape: [1, 2] };
      rope(x, { offset: 3 });
      assert.deepEqual([...x.data], [1, 2]);
      assert.deepEqual(rope({ data: [], shape: [0, 4] }).shape, [0, 4]);
      assert.deepEqual(rope({ data: [], shape: [0, 3, 4] }).shape, [0, 3, 4]);
    });

    test('refusals', () => {
      const call = (/** @type {any} */ x, /** @type {any} */ options = {}) => () => rope(x, options);
      refuses(engine, call([1, 2]), RangeError, 'x: expected rank 2, 3 or 4, got rank 1 (shape [2])');
      refuses(engine, call([[1, 2, 3]]), RangeError, 'x: expected an even width, or `dims` to say how much of it to turn, got shape [1, 3]');
      refuses(engine, call([[]]), RangeError, 'x: expected rows of at least 1 value, got shape [1, 0]');
      for (const dims of [0, 1, 3, 6, -2, 2.5, NaN]) refuses(engine, call([[1, 2, 3, 4]], { dims }), RangeError, `dims: expected an even number from 2 to 4, got ${dims}`);
      refuses(engine, call([[1, 2]], { dims: null }), TypeError, 'dims: expected an even number from 2 to 2, got null');
      for (const base of [0, 0.5, -1, NaN, Infinity]) refuses(engine, call([[1, 2]], { base }), RangeError, `base: expected a finite number of at least 1, got ${base}`);
      for (const offset of [0.5, NaN, Infinity, 2 ** 53]) {
        refuses(engine, call([[1, 2]], { offset }), RangeError, `offset: expected a whole number from -4503599627370496 to 4503599627370496, got ${offset}`);
      }
      refuses(engine, call([[1, 2]], { interleaved: 1 }), TypeError, 'interleaved: expected true or false, got 1');
      refuses(engine, call([[1, 2]], { theta: 1 }), TypeError, /^options: expected known names/);
      refuses(engine, call([['1', 2]]), TypeError, 'x: expected a number at [0][0], got "1"');
    });
  });

  describe(`alibi (${variant})`, () => {
    test('slopes and distances', () => {
      assert.deepEqual(alibi({ heads: 2, queries: 2, keys: 3 }).toNested(), [
        [[-1 / 16, 0, -1 / 16], [-2 / 16, -1 / 16, 0]],
        [[-1 / 256, 0, -1 / 256], [-2 / 256, -1 / 256, 0]],
      ]);
      const slopes = (/** @type {number} */ heads) => alibi({ heads, queries: 1, keys: 1, queryOffset: 1 }).data.map((bias) => -bias);
      assertClose(slopes(6), [1 / 4, 1 / 16, 1 / 64, 1 / 256, 2 ** -1, 2 ** -3], 1e-7);
      assertClose(slopes(12).slice(8), [2 ** -0.5, 2 ** -1.5, 2 ** -2.5, 2 ** -3.5], 1e-7);
    });

    test('is a bias of attention', () => {
      const bias = alibi({ heads: 2, queries: 3, keys: 3 });
      const zeros = { data: new Float32Array(12), shape: [2, 3, 2] };
      const { weights } = engine.attention(zeros, zeros, zeros, { bias, causal: true, returnWeights: true });
      const [e, f] = [Math.exp(-1 / 16), Math.exp(-2 / 16)];
      assertClose(weights.toNested()[0], [[1, 0, 0], [e / (1 + e), 1 / (1 + e), 0], [f / (1 + e + f), e / (1 + e + f), 1 / (1 + e + f)]]);
    });

    test('refusals', () => {
      const call = (/** @type {any} */ settings) => () => alibi(settings);
      refuses(engine, call(undefined), TypeError, 'settings: expected an object, got undefined');
      refuses(engine, call({ heads: 0, queries: 1, keys: 1 }), RangeError, 'heads: expected a whole number from 1 to 2147483647, got 0');
      refuses(engine, call({ queries: 1, keys: 1 }), TypeError, 'heads: expected a whole number from 1 to 2147483647, got undefined');
      refuses(engine, call({ heads: 1, queries: -1, keys: 1 }), RangeError, 'queries: expected a whole number from 0 to 2147483647, got -1');
      refuses(engine, call({ heads: 1, queries: 1, keys: 1.5 }), RangeError, 'keys: expected a whole number from 0 to 2147483647, got 1.5');
      refuses(engine, call({ heads: 1, queries: 1, keys: 1, queryOffset: 0.5 }), RangeError, /^queryOffset: expected a whole number from -4503599627370496 to 4503599627370496, got 0.5$/);
      refuses(engine, call({ heads: 8, queries: 65536, keys: 65536 }), RangeError, /^positions.alibi: expected a call that needs at most \d+ bytes, got one that needs 137438953472 bytes/);
    });
  });

  describe(`sinusoidal (${variant})`, () => {
    test('by the formula', () => {
      const encoded = sinusoidal({ length: 7, dim: 5, base: 50, offset: 3 });
      assert.deepEqual(encoded.shape, [7, 5]);
      assertClose(encoded.toNested(), Array.from({ length: 7 }, (_, i) => Array.from({ length: 5 }, (__, column) => {
        const angle = (3 + i) / 50 ** ((2 * Math.floor(column / 2)) / 5);
        return column % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
      })), 1e-7);
      assert.deepEqual(sinusoidal({ length: 1, dim: 4 }).toNested(), [[0, 1, 0, 1]]);
      assert.deepEqual(sinusoidal({ length: 0, dim: 4 }).shape, [0, 4]);
    });

    test('a distance is one turn, wherever it begins', () => {
      const step = sinusoidal({ length: 1, dim: 8, offset: 9 }).data;
      for (const offset of [0, 12345, 2 ** 52]) {
        const [first, later] = [offset, offset + 9].map((p) => (p > 2 ** 52 ? sinusoidal({ length: 10, dim: 8, offset }).data.slice(72) : sinusoidal({ length: 1, dim: 8, offset: p }).data));
        for (let c = 0; c < 8; c += 2) assertClose(later[c], first[c] * step[c + 1] + first[c + 1] * step[c], 5e-7);
        assertClose(dot(first, first), 4, 1e-6);
      }
    });

    test('refusals', () => {
      const call = (/** @type {any} */ settings) => () => sinusoidal(settings);
      refuses(engine, call({ length: 2 }), TypeError, 'dim: expected a whole number from 1 to 2147483647, got undefined');
      refuses(engine, call({ length: 2, dim: 0 }), RangeError, 'dim: expected a whole number from 1 to 2147483647, got 0');
      refuses(engine, call({ length: 0.5, dim: 2 }), RangeError, 'length: expected a whole number from 0 to 2147483647, got 0.5');
      refuses(engine, call({ length: 1, dim: 2, base: 0 }), RangeError, 'base: expected a finite number of at least 1, got 0');
      refuses(engine, call({ length: 1, dim: 2, offset: '1' }), TypeError, /^offset: expected a whole number .*, got "1"$/);
      refuses(engine, call({ length: 1, width: 2 }), TypeError, /^settings: expected known names/);
    });
  });
}
