// What attn-two-key must get right, through the same computation that the figure shows.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compute } from '../../../web/elements/two-key/compute.js';
import { schema } from '../../../web/elements/two-key/schema.js';
import { formatNumber, formatPercents, formatVector } from '../../../web/view/format.js';
import { assertClose } from '../support/close.js';
import { engines } from '../support/engines.js';

/** @type {any} */
const defaults = Object.fromEntries(Object.entries(schema).map(([key, field]) => [key, field.default]));
const shown = (result) => [result.scores.map((score) => formatNumber(score)), formatPercents(result.weights), formatVector(result.output)];

for (const { variant, engine } of engines) {
  describe(`attn-two-key (${variant})`, () => {
    const of = (/** @type {object} */ changes) => compute(engine, { ...defaults, ...changes });

    test('the worked example, as it is shown', () => {
      assert.deepEqual(shown(of({})), [['0.707', '0.000'], ['67.0 %', '33.0 %'], '[1.340, 1.321]']);
      assert.deepEqual(shown(of({ q: [0, 0] })), [['0.000', '0.000'], ['50.0 %', '50.0 %'], '[1.000, 2.000]']);
      assert.deepEqual(shown(of({ q: [0, 1] })), [['0.000', '0.707'], ['33.0 %', '67.0 %'], '[0.660, 2.679]']);
    });

    test('and in full precision', () => {
      const { scores, weights, output, weightSum, dots } = of({});
      assertClose(scores, [Math.SQRT1_2, 0], 1e-15);
      assertClose(weights, [0.6697615493266569, 0.3302384506733431], 1e-15);
      assertClose(output, [1.3395230986533138, 1.3209538026933725], 1e-15);
      assertClose(weightSum, 1, 1e-15);
      assert.deepEqual(dots, [1, 0]);
    });

    test('lengths and angles; a zero vector has no angle', () => {
      const { geometry } = of({ q: [2, 0], keys: [[3, 4], [0, -1]] });
      assert.equal(geometry.queryLength, 2);
      assert.deepEqual(geometry.keyLengths, [5, 1]);
      assertClose(geometry.angles, [Math.acos(0.6), Math.PI / 2], 1e-15);
      assert.deepEqual(of({ q: [0, 0] }).geometry.angles, [NaN, NaN]);
    });

    test('the output is on the segment between the values, split by the weights like a lever', () => {
      for (const q of [[3, -1], [0.4, 0.7], [-2, 2]]) {
        const { weights, output } = of({ q });
        assertClose(output, [2 * weights[0], 4 * weights[1]], 1e-14);
      }
    });

    test('equal keys share equally, whatever the query', () => {
      assert.deepEqual(of({ q: [2.5, -1], keys: [[1, 1], [1, 1]] }).weights, [0.5, 0.5]);
    });

    test('a masked key has score −∞ and weight 0; its value has no influence', () => {
      const { scores, weights, output, dots } = of({ allowKeys: [false, true] });
      assert.deepEqual(scores, [-Infinity, 0]);
      assert.deepEqual(weights, [0, 1]);
      assert.deepEqual(output, [0, 4]);
      assert.deepEqual(dots, [1, 0]);
    });

    test('with every key masked, weights and output are 0', () => {
      const { weights, output } = of({ allowKeys: [false, false] });
      assert.deepEqual([weights, output], [[0, 0], [0, 0]]);
      assert.deepEqual(of({ allowKeys: [false, false], temperature: 0 }).weights, [0, 0]);
    });

    test('temperature divides the scores; 0 is the limit, with ties in equal parts', () => {
      const e = Math.exp(Math.SQRT1_2 / 0.5);
      const { scores, weights } = of({ temperature: 0.5 });
      assertClose(scores, [Math.SQRT1_2, 0], 1e-15);
      assertClose(weights, [e / (e + 1), 1 / (e + 1)], 1e-14);
      assert.deepEqual(of({ temperature: 0 }).weights, [1, 0]);
      const three = { keys: [[1, 0], [0, 1], [1, 0]], values: [[1, 0], [0, 1], [2, 0]] };
      assert.deepEqual(of({ ...three, temperature: 0 }).weights, [0.5, 0, 0.5]);
      assert.deepEqual(of({ ...three, temperature: 0, allowKeys: [true, true, false] }).weights, [1, 0, 0]);
    });

    test('the coldest temperature and the largest coordinates still give numbers', () => {
      const { weights } = of({ q: [1e6, 1e6], keys: [[1e6, 1e6], [-1e6, 1e6]], temperature: 0.01 });
      assert.deepEqual(weights, [1, 0]);
    });

    test('what does not fit together is refused with a sentence', () => {
      const refused = (changes, ...parts) => assert.throws(() => of(changes), (error) => error instanceof TypeError && parts.every((part) => error.message.includes(part)));
      refused({ values: [[1, 1]] }, 'values', '2', '1');
      refused({ allowKeys: [true] }, 'allow-keys', '2', '1');
      refused({ temperature: 0.001 }, 'temperature', '0.01', '0.001');
    });
  });
}
