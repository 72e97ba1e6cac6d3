import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';
import { refuses } from './support/refuses.js';

const formats = {
  f16: { fraction: 10, smallest: -14, largest: 65504 },
  bf16: { fraction: 7, smallest: -126, largest: 2 ** 127 * (2 - 2 ** -7) },
  f32: { fraction: 23, smallest: -126, largest: 2 ** 127 * (2 - 2 ** -23) },
};

/** The nearest number of a format, ties to even: x in steps of its last digit. @param {number} x @param {keyof typeof formats} precision */
function rounded(x, precision) {
  const { fraction, smallest, largest } = formats[precision];
  if (x === 0 || !Number.isFinite(x)) return x;
  let exponent = Math.floor(Math.log2(Math.abs(x)));
  if (2 ** exponent > Math.abs(x)) exponent--;
  const step = 2 ** (Math.max(exponent, smallest) - fraction);
  const steps = x / step;
  const below = Math.floor(steps);
  const up = steps - below > 0.5 || (steps - below === 0.5 && below % 2 !== 0);
  const nearest = (below + (up ? 1 : 0)) * step;
  return Math.abs(nearest) > largest ? Math.sign(x) * Infinity : nearest;
}

/** @param {number[]} row @param {keyof typeof formats} precision @param {boolean} stable */
function stepByStep(row, precision, stable) {
  const round = (/** @type {number} */ x) => rounded(x, precision);
  const x = row.map((value) => round(Math.fround(value)));
  const max = Math.max(...x);
  const powers = x.map((value) => round(Math.exp(stable ? round(value - max) : value)));
  const sum = powers.reduce((total, power) => round(total + power), 0);
  return powers.map((power) => round(power / sum) + 0); // no −0
}

for (const { variant, engine } of engines) {
  describe(`softmax (${variant})`, () => {
    test('along the last axis, for every rank', () => {
      const [a, b] = [1 / (1 + Math.exp(1)), 1 / (1 + Math.exp(-1))];
      assertClose(engine.softmax([1, 2]).toNested(), [a, b]);
      assertClose(engine.softmax([[1, 2], [2, 1]]).toNested(), [[a, b], [b, a]]);
      assertClose(engine.softmax([[[[1, 2]]]]).toNested(), [[[[a, b]]]]);
    });

    test('scores of any size', () => {
      assertClose(engine.softmax([800, 0, 0]).data, [1, 0, 0]);
      assertClose(engine.softmax([-Infinity, 0]).data, [0, 1]);
      assertClose(engine.softmax([[NaN, 0], [0, 0], [Infinity, 0]]).toNested(), [[NaN, NaN], [0.5, 0.5], [NaN, NaN]]);
      assert.deepEqual(engine.softmax({ data: [], shape: [2, 0] }).shape, [2, 0]);
    });

    test('without the maximum it overflows where the precision does', () => {
      const unstable = (/** @type {number[]} */ x, /** @type {'f32' | 'f16' | 'bf16'} */ precision) => [...engine.softmax(x, { precision, stable: false }).data];
      assert.deepEqual(unstable([12, 0], 'f16'), [NaN, 0]); // exp(12) = 162755 > 65504
      assert.deepEqual(unstable([11, 11], 'f16'), [0, 0]); // the sum is ∞
      assert.deepEqual(unstable([-20, -20], 'f16'), [NaN, NaN]); // 0 / 0
      assert.deepEqual(unstable([89, 0], 'f32'), [NaN, 0]);
      assert.deepEqual(unstable([89, 0], 'bf16'), [NaN, 0]);
      assertClose(unstable([88, 88], 'f32'), [0.5, 0.5]);
      assertClose(engine.softmax([12, 0], { precision: 'f16' }).data, [1, 2 ** -24 * Math.round(Math.exp(-12) * 2 ** 24)], 1e-12);
    });

    test('every result is rounded to the precision', () => {
      const random = randomFrom(41);
      for (const precision of /** @type {const} */ (['f16', 'bf16', 'f32'])) {
        for (const stable of precision === 'f32' ? [false] : [true, false]) {
          for (let run = 0; run < 50; run++) {
            const row = [...random.tensor([random.whole(1, 30)]).data].map((x) => x * random.pick([0.1, 1, 6]));
            assert.deepEqual([...engine.softmax(row, { precision, stable }).data], stepByStep(row, precision, stable), `${precision}, stable ${stable}, run ${run}`);
          }
        }
      }
    });

    test('refusals', () => {
      const call = (/** @type {any} */ x, /** @type {any} */ options = {}) => () => engine.softmax(x, options);
      refuses(engine, call([1], { precision: 'f8' }), TypeError, 'precision: expected \'f32\', \'f16\' or \'bf16\', got "f8"');
      refuses(engine, call([1], { precision: 16 }), TypeError, 'precision: expected \'f32\', \'f16\' or \'bf16\', got 16');
      refuses(engine, call([1], { stable: 0 }), TypeError, 'stable: expected true or false, got 0');
      refuses(engine, call([1], { safe: true }), TypeError, 'options: expected known names (precision, stable), got "safe"');
      refuses(engine, call(1), TypeError, 'x: expected nested arrays of numbers or {data, shape}, got 1');
      refuses(engine, call([[[[[1]]]]]), RangeError, 'x: expected arrays nested at most 4 deep, got deeper ones');
    });
  });
}
