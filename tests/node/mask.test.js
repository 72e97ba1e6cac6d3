import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from './support/engines.js';
import { refuses } from './support/refuses.js';

/** @typedef {import('attn-widgets').MaskOptions} Options */

/** Rows as text: x visible, . masked. @param {import('attn-widgets').BooleanTensor} mask @returns {string[]} */
const picture = (mask) => mask.toNested().map((/** @type {boolean[]} */ row) => row.map((cell) => (cell ? 'x' : '.')).join(''));

for (const { variant, engine } of engines) {
  describe(`mask (${variant})`, () => {
    const square = (/** @type {Options} */ options, n = 4) => picture(engine.mask({ queries: n, keys: n, ...options }));

    test('each restriction', () => {
      assert.deepEqual(square({}), ['xxxx', 'xxxx', 'xxxx', 'xxxx']);
      assert.deepEqual(square({ causal: true }), ['x...', 'xx..', 'xxx.', 'xxxx']);
      assert.deepEqual(square({ window: 2 }), ['xx..', 'xxx.', '.xxx', '..xx']);
      assert.deepEqual(square({ window: { left: 2, right: 0 } }), ['x...', 'xx..', 'xxx.', '.xxx']);
      assert.deepEqual(square({ keyLengths: [3] }), ['xxx.', 'xxx.', 'xxx.', 'xxx.']);
      assert.deepEqual(square({ allowKeys: [false, true, true, false] }), ['.xx.', '.xx.', '.xx.', '.xx.']);
      assert.deepEqual(square({ allow: [[true], [false], [true], [false]] }), ['xxxx', '....', 'xxxx', '....']);
      assert.deepEqual(square({ blocks: { size: [2, 3], allow: [[true, false], [false, true]] } }), ['xxx.', 'xxx.', '...x', '...x']);
    });

    test('keys per batch entry, or the same for all', () => {
      const mask = (/** @type {Options['allowKeys']} */ allowKeys) => engine.mask({ queries: 1, keys: 2, batch: 2, allowKeys }).toNested().flat(2);
      assert.deepEqual(mask([[true, false], [false, true]]), [[true, false], [false, true]]);
      assert.deepEqual(mask([[true, false]]), [[true, false], [true, false]]);
      assert.deepEqual(mask([true, false]), [[true, false], [true, false]]);
    });

    test('all that are given hold together', () => {
      assert.deepEqual(square({ causal: true, window: 2, keyLengths: [3] }), ['x...', 'xx..', '.xx.', '..x.']);
    });

    test('queries are the tail of the keys, unless told otherwise', () => {
      const mask = (/** @type {Options} */ options = {}) => picture(engine.mask({ queries: 2, keys: 4, causal: true, ...options }));
      assert.deepEqual(mask(), ['xxx.', 'xxxx']);
      assert.deepEqual(mask({ queryOffset: 0 }), ['x...', 'xx..']);
    });

    test('heads and batch add their axes', () => {
      assert.deepEqual(engine.mask({ queries: 1, keys: 2, heads: 2 }).toNested(), [[[true, true]], [[true, true]]]);
      assert.deepEqual(engine.mask({ queries: 1, keys: 2, batch: 2, keyLengths: [0, 1] }).toNested(), [[[[false, false]]], [[[true, false]]]]);
      assert.deepEqual(engine.mask({ queries: 1, keys: 1, batch: 1, heads: 1 }).shape, [1, 1, 1, 1]);
    });

    test('no queries or no keys', () => {
      assert.deepEqual(engine.mask({ queries: 0, keys: 3 }).toNested(), []);
      assert.deepEqual(engine.mask({ queries: 2, keys: 0 }).toNested(), [[], []]);
    });

    test('a mask can be given back as allow', () => {
      const allow = engine.mask({ queries: 3, keys: 3, causal: true });
      assert.equal(allow.dtype, 'bool');
      const x = [[1, 2], [3, 1], [0, 1]];
      assert.deepEqual(engine.attention(x, x, x, { allow }).output.data, engine.attention(x, x, x, { causal: true }).output.data);
    });

    test('refusals', () => {
      const call = (/** @type {any} */ settings = undefined) => () => engine.mask(settings);
      refuses(engine, call(), TypeError, 'options: expected an object, got undefined');
      refuses(engine, call({ keys: 2 }), RangeError, 'queries: expected a whole number from 0 to 2147483647, got undefined');
      refuses(engine, call({ queries: 2, keys: 1.5 }), RangeError, 'keys: expected a whole number from 0 to 2147483647, got 1.5');
      refuses(engine, call({ queries: 2, keys: 2, heads: 0 }), RangeError, 'heads: expected a whole number from 1 to 2147483647, got 0');
      refuses(engine, call({ queries: 2, keys: 2, scale: 1 }), TypeError, /^options: expected known names .* got "scale"$/);
    });
  });
}
