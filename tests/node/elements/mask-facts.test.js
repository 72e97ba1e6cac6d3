// What attn-mask must get right, through the same computation that the figure shows.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compute } from '../../../web/elements/mask/compute.js';
import { schema } from '../../../web/elements/mask/schema.js';
import { engines } from '../support/engines.js';

/** @type {any} */
const defaults = Object.fromEntries(Object.entries(schema).map(([key, field]) => [key, field.default]));
const third = Math.fround(1 / 3);

for (const { variant, engine } of engines) {
  describe(`attn-mask (${variant})`, () => {
    const of = (/** @type {object} */ changes) => compute(engine, { ...defaults, ...changes });

    test('zero scores under the causal mask: 1, ½ ½, ⅓ ⅓ ⅓, the diagonal open', () => {
      const { scores, allow, weights, rowSums, output } = of({});
      assert.deepEqual(scores, [[0, 0, 0], [0, 0, 0], [0, 0, 0]]);
      assert.deepEqual(allow, [[true, false, false], [true, true, false], [true, true, true]]);
      assert.deepEqual(weights, [[1, 0, 0], [0.5, 0.5, 0], [third, third, third]]);
      rowSums.forEach((sum) => assert.ok(Math.abs(sum - 1) < 1e-6));
      assert.deepEqual(output, [[1], [1.5], [2]]);
    });

    test('given scores come back as they are, random ones the same every time', () => {
      assert.deepEqual(of({ scores: [[5, -1], [0.25, 100]] }).scores, [[5, -1], [0.25, 100]]);
      assert.deepEqual(of({ n: 4, scores: 'random', seed: 3 }), of({ n: 4, scores: 'random', seed: 3 }));
    });

    test('an empty row is what emptyRows says', () => {
      const empty = { n: 2, mask: 'own', allow: [[true, true], [false, false]] };
      assert.deepEqual(of(empty).weights[1], [0, 0]);
      assert.deepEqual(of(empty).output[1], [0]);
      assert.deepEqual(of({ ...empty, emptyRows: 'nan' }).weights, [[0.5, 0.5], [NaN, NaN]]);
      assert.deepEqual(of({ ...empty, emptyRows: 'uniform' }).weights[1], [0.5, 0.5]);
    });

    test('zeroing after the softmax leaves rows below 1; divided by their sum they are the masked softmax', () => {
      const { weights, compared } = of({ n: 5, scores: 'random', seed: 11, compare: true });
      assert.ok(compared);
      compared.rowSums.forEach((sum, i) => assert.ok(i === 4 ? Math.abs(sum - 1) < 1e-12 : sum < 1, `row ${i + 1}: ${sum}`));
      compared.renormalised.forEach((row, i) => row.forEach((weight, j) => assert.ok(Math.abs(weight - weights[i][j]) < 1e-6)));
      assert.equal(compared.sameAsMasked, true);
    });

    test('a masked token’s content changes no output that may not look at it', () => {
      const { before } = of({ n: 4, scores: 'random', replaced: 3 });
      assert.deepEqual(before?.same, [true, true, false, false]);
    });

    test('under padding every query gets an output and none of it comes from the padding', () => {
      const { output, weights, before } = of({ n: 4, mask: 'padding', length: 3, replaced: 4 });
      assert.deepEqual(weights[3], [third, third, third, 0]);
      assert.deepEqual(output, [[2], [2], [2], [2]]);
      assert.deepEqual(before?.same, [true, true, true, true]);
    });

    test('unequal counts: queries are the tail of the keys', () => {
      const { allow, weights } = of({ queries: 2, keys: 5 });
      assert.deepEqual(allow, [[true, true, true, true, false], [true, true, true, true, true]]);
      assert.deepEqual(weights[0], [0.25, 0.25, 0.25, 0.25, 0]);
      assert.deepEqual(of({ queries: 3, keys: 2 }).allow, [[false, false], [true, false], [true, true]]);
    });

    test('window, block and graph open the cells they should', () => {
      const bits = (/** @type {object} */ changes) => of({ n: 4, ...changes }).allow.map((row) => row.map(Number).join(''));
      assert.deepEqual(bits({ mask: 'window', window: 2 }), ['1100', '1110', '0111', '0011']);
      assert.deepEqual(bits({ mask: 'window', window: 2, causal: true }), ['1000', '1100', '0110', '0011']);
      assert.deepEqual(bits({ mask: 'block', block: 2 }), ['1100', '1100', '0011', '0011']);
      assert.deepEqual(bits({ mask: 'graph' }), ['1110', '1101', '1010', '0101']);
      assert.deepEqual(bits({ mask: 'none' }), ['1111', '1111', '1111', '1111']);
    });
  });
}
