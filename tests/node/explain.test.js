// Explanations, each checked by computing the changed call with the reference.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';
import { refuses } from './support/refuses.js';
import { column } from './support/tensors.js';

const length = (/** @type {readonly number[]} */ a, /** @type {readonly number[]} */ b) => Math.hypot(...a.map((x, i) => x - b[i]));

for (const { variant, engine } of engines) {
  describe(`explain (${variant})`, () => {
    const random = randomFrom(71);
    const [q, k, v] = [random.tensor([2, 4, 3, 5]), random.tensor([2, 2, 6, 5]), random.tensor([2, 2, 6, 4])];
    const optionSets = /** @type {const} */ ([
      {}, { causal: true }, { softcap: 1, bias: [0, 1, -Infinity, 0, 0, 2] }, { keyLengths: [4, 0], emptyRows: 'uniform' },
      { scoring: { kind: 'cosine' } }, { scoreMod: (/** @type {number} */ score, /** @type {number} */ _b, /** @type {number} */ h, /** @type {number} */ i, /** @type {number} */ j) => score * (1 + h) - i * j },
    ]);

    test('leaveOneOut is the same call with one cell masked', () => {
      for (const options of optionSets) {
        const { output, without, difference } = engine.explain.leaveOneOut(q, k, v, options);
        assert.deepEqual([output.shape, without.shape, difference.shape], [[2, 4, 3, 4], [2, 4, 3, 6, 4], [2, 4, 3, 6]]);
        const all = engine.reference.attention(q, k, v, options).output.toNested();
        assertClose(output.toNested(), all, 1e-14);
        const [left, moved] = [without.toNested(), difference.toNested()];
        for (let key = 0; key < 6; key++) {
          // Each cell is a mask of its own row, so one key can be masked for all rows at once.
          const allow = Array.from({ length: 6 }, (_, j) => j !== key);
          const expected = engine.reference.attention(q, k, v, { ...options, allow }).output.toNested();
          for (const [b, h, i] of [[0, 0, 0], [0, 1, 2], [1, 3, 1], [1, 2, 2]]) {
            assertClose(left[b][h][i][key], expected[b][h][i], 1e-13);
            assertClose(moved[b][h][i][key], length(expected[b][h][i], all[b][h][i]), 1e-12);
          }
        }
      }
    });

    test('replaceValue moves outputs by the weight and nothing else', () => {
      for (const options of optionSets) {
        for (const value of [[1, 2, 3, 4], random.tensor([2, 4]), random.tensor([2, 2, 4])]) {
          const { output, after, difference } = engine.explain.replaceValue(q, k, v, { key: 2, value }, options);
          const changed = { data: Float64Array.from(v.data), shape: v.shape };
          const flat = Array.isArray(value) ? { data: value, shape: [4] } : value;
          for (let b = 0; b < 2; b++) {
            for (let h = 0; h < 2; h++) {
              for (let c = 0; c < 4; c++) changed.data[((b * 2 + h) * 6 + 2) * 4 + c] = flat.data[((b * 2 + h) * 4 + c) % flat.data.length];
            }
          }
          assertClose(output.data, engine.reference.attention(q, k, v, options).output.data, 1e-14);
          assertClose(after.data, engine.reference.attention(q, k, changed, options).output.data, 1e-14);
          const rows = [output, after].map((tensor) => tensor.toNested().flat(2));
          assertClose(difference.data, rows[0].map((/** @type {number[]} */ row, /** @type {number} */ r) => length(row, rows[1][r])), 1e-13);
        }
      }
    });

    test('gradient of a component, of a direction and of one query', () => {
      for (const options of /** @type {import('attn-widgets').BackwardOptions[]} */ (optionSets.slice(0, 4))) {
        const along = (/** @type {number} */ component, /** @type {number | undefined} */ query) => {
          const { data, shape } = random.tensor([2, 4, 3, 4]);
          data.forEach((_, place) => (data[place] = Number(place % 4 === component && (query === undefined || Math.floor(place / 4) % 3 === query))));
          return { data, shape };
        };
        for (const query of [undefined, 1]) {
          const dOutput = along(2, query);
          const expected = engine.reference.attentionBackward(q, k, v, dOutput, options);
          for (const target of [{ component: 2, query }, { direction: [0, 0, 1, 0], query }]) {
            const { dQuery, dKey, dValue, dWeights, dScores } = engine.explain.gradient(q, k, v, target, options);
            assert.deepEqual({ dQuery, dKey, dValue }, expected);
            // dP is the component of the value, dS = P·(dP − the component of the output).
            const { output, weights, scores } = engine.reference.attention(q, k, v, { ...options, returnScores: true });
            dWeights.data.forEach((dWeight, cell) => {
              const [row, key] = [Math.floor(cell / 6), cell % 6];
              const counts = scores.data[cell] !== -Infinity && (query === undefined || row % 3 === query);
              const head = Math.floor(row / 12) * 2 + Math.floor((Math.floor(row / 3) % 4) / 2);
              const value = v.data[(head * 6 + key) * 4 + 2];
              assertClose(dWeight, counts ? value : 0, 1e-14);
              assertClose(dScores.data[cell], counts ? weights.data[cell] * (value - output.data[row * 4 + 2]) : 0, 1e-14);
            });
          }
        }
      }
    });

    test('the weight need not say what counts: a heavy key whose value is the output moves nothing', () => {
      const { output, difference } = engine.explain.leaveOneOut([[1]], column(3, 0, 0), column(5, 4, 6), { scale: 1 });
      assertClose(output.data, [5]);
      assertClose(difference.data[0], 0, 1e-12);
      assert.ok(difference.data[1] > 0.04);
    });

    test('refusals', () => {
      const [one, two] = [column(1), column(1, 2)];
      const { leaveOneOut, replaceValue, gradient } = engine.explain;
      refuses(engine, () => leaveOneOut(one, two, two, /** @type {any} */ ({ tile: { queries: 1, keys: 1 } })), TypeError, /^options: expected known names/);
      refuses(engine, () => replaceValue(one, two, two, { key: 2, value: [1] }), RangeError, "replacement.key: expected a key's number, a whole number below 2, got 2");
      refuses(engine, () => replaceValue(one, two, two, /** @type {any} */ ({ value: [1] })), TypeError, "replacement.key: expected a key's number, a whole number below 2, got undefined");
      refuses(engine, () => replaceValue(one, [], [], { key: 0, value: [1] }), RangeError, "replacement.key: expected a key's number, a whole number below 0, got 0");
      refuses(engine, () => replaceValue(one, two, two, { key: 0, value: [1, 2] }), RangeError, 'replacement.value: expected a shape that broadcasts from the right to [1, 1, 1], got [2]');
      refuses(engine, () => replaceValue(one, two, two, /** @type {any} */ (undefined)), TypeError, 'replacement: expected an object, got undefined');
      refuses(engine, () => gradient(one, two, two, /** @type {any} */ ({})), TypeError, 'target: expected either component or direction, got neither');
      refuses(engine, () => gradient(one, two, two, /** @type {any} */ ({ component: 0, direction: [1] })), TypeError, 'target: expected either component or direction, got both');
      refuses(engine, () => gradient(one, two, two, { component: 1 }), RangeError, 'target.component: expected a whole number below 1, got 1');
      refuses(engine, () => gradient(one, two, two, { component: 0, query: -1 }), RangeError, 'target.query: expected a whole number below 1, got -1');
      refuses(engine, () => gradient(one, two, two, { direction: [1, 2] }), RangeError, 'target.direction: expected a shape that broadcasts from the right to [1, 1], got [2]');
      refuses(engine, () => gradient(one, two, two, { component: 0 }, /** @type {any} */ ({ scoreMod: Math.abs })), TypeError, 'scoreMod: expected none in explain.gradient, which cannot differentiate a function, got a function');
      const long = { data: new Float32Array(20000), shape: [20000, 1] };
      refuses(engine, () => leaveOneOut(long, long, long), RangeError, /^explain\.leaveOneOut: expected a call that needs at most 268435456 bytes, got one that needs \d+ bytes \(most of it for without of shape \[20000, 20000, 1\]\)$/);
    });
  });
}
