// How queries and keys make scores: every kind against its formula, through the public API; and what is refused.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';
import { refuses } from './support/refuses.js';
import { zeros } from './support/tensors.js';

/** @typedef {import('attn-widgets').Scoring} Scoring */

/** @param {readonly number[]} a @param {readonly number[]} b */
const dot = (a, b) => a.reduce((sum, x, c) => sum + x * b[c], 0);
/** @param {readonly number[]} a */
const length = (a) => Math.hypot(...a);
/** @param {readonly (readonly number[])[]} matrix @param {readonly number[]} x */
const times = (matrix, x) => matrix.map((row) => dot(row, x));

const w = [[1, -0.5, 2], [0.25, 1, -1]];
const wq = [[1, 2], [-1, 0.5], [0.5, 0.5], [2, -2]];
const wk = [[0.5, 0, 1], [1, 1, 1], [-1, 2, 0], [0.1, 0.2, 0.3]];
const v = [1, -2, 0.5, 3];
const row = [0.5, -1, 1, 2, 0.25];
const nine = [1, 2, -1, 0.5, 0.25, 3, -0.5, 1, 2];

/** Each kind, and its score of one query and key. @type {{ scoring: Scoring, of: (q: number[], k: number[]) => number, widths?: [number, number] }[]} */
const kinds = [
  { scoring: { kind: 'scaled-dot' }, of: (q, k) => dot(q, k) / Math.sqrt(q.length) },
  { scoring: { kind: 'dot' }, of: dot },
  { scoring: { kind: 'general', w }, of: (q, k) => dot(q, times(w, k)), widths: [2, 3] },
  { scoring: { kind: 'general', w, b: 1.5 }, of: (q, k) => dot(q, times(w, k)) + 1.5, widths: [2, 3] },
  { scoring: { kind: 'additive', wq, wk, v }, of: (q, k) => dot(v, times(wq, q).map((unit, a) => Math.tanh(unit + times(wk, k)[a]))), widths: [2, 3] },
  { scoring: { kind: 'cosine' }, of: (q, k) => dot(q, k) / (length(q) * length(k) || 1) },
  { scoring: { kind: 'linear', w: row, b: -2 }, of: (q, k) => dot(row, [...q, ...k]) - 2, widths: [2, 3] },
  { scoring: { kind: 'trilinear', w: nine, b: 0.5 }, of: (q, k) => dot(nine, [...q, ...k, ...q.map((x, c) => x * k[c])]) + 0.5 },
];

for (const { variant, engine } of engines) {
  describe(`scoring (${variant})`, () => {
    for (const { scoring, of, widths: [d, dk] = [3, 3] } of kinds) {
      const name = `${scoring.kind}${'b' in scoring && scoring.b ? ' with b' : ''}`;
      const random = randomFrom(31);
      const rows = (/** @type {number} */ count, /** @type {number} */ width) => Array.from({ length: count }, () => Array.from({ length: width }, () => Math.fround(random.next() * 4 - 2)));
      const [q, k, values] = [rows(5, d), rows(7, dk), rows(7, 2)];
      q[1] = q[1].map(() => 0);
      const scores = q.map((query) => k.map((key) => of(query, key)));

      test(`${name}: its scores, in float32 and float64`, () => {
        assertClose(engine.scores(q, k, { scoring }).toNested(), scores, 2e-7);
        assertClose(engine.reference.scores(q, k, { scoring }).toNested(), scores, 1e-14);
        assertClose(engine.attention(q, k, values, { scoring, returnScores: true }).scores.toNested(), scores, 2e-7);
      });

      test(`${name}: attention by them`, () => {
        for (const options of [{}, { causal: true }, { window: 2, softcap: 1.5 }, { bias: [1, 2, 3, 4, 5, 6, 7], scale: 0.5 }, { tile: { queries: 2, keys: 3 } }]) {
          const expected = engine.reference.attention(q, k, values, { scoring, ...options });
          const got = engine.attention(q, k, values, { scoring, ...options, returnWeights: true });
          assertClose(got.output.data, expected.output.data, 1e-6, `${JSON.stringify(options)}: output`);
          assertClose(got.weights.data, expected.weights.data, 1e-6, `${JSON.stringify(options)}: weights`);
        }
        // The reference itself, by the scores above
        const { weights } = engine.reference.attention(q, k, values, { scoring });
        scores.forEach((line, i) => {
          const powers = line.map((score) => Math.exp(score));
          const sum = powers.reduce((a, b) => a + b);
          assertClose(weights.toNested()[i], powers.map((power) => power / sum), 1e-13);
        });
      });

      test(`${name}: one set of parameters for all batch entries and grouped heads`, () => {
        const q4 = { data: new Float64Array(2 * 4 * 5 * d).map((_, i) => q.flat()[(i * 7) % (5 * d)]), shape: [2, 4, 5, d] };
        const k4 = { data: new Float64Array(2 * 2 * 7 * dk).map((_, i) => k.flat()[(i * 5) % (7 * dk)]), shape: [2, 2, 7, dk] };
        const got = engine.scores(q4, k4, { scoring }).toNested();
        const nested = (/** @type {{ data: Float64Array, shape: number[] }} */ { data, shape }, /** @type {number[]} */ ...at) => Array.from(data.subarray(at.reduce((place, i, axis) => place * shape[axis] + i, 0) * shape[3]).subarray(0, shape[3]));
        for (const [b, h, i, j] of [[0, 0, 0, 0], [0, 3, 4, 6], [1, 1, 2, 3], [1, 2, 0, 5], [1, 3, 4, 0]]) {
          assertClose(got[b][h][i][j], of(nested(q4, b, h, i), nested(k4, b, h >> 1, j)), 2e-7, `${[b, h, i, j]}`);
        }
      });

      test(`${name}: a masked key has no influence whatever it holds`, () => {
        const options = { scoring, allowKeys: [true, true, false, true, true, true, true] };
        const clean = engine.attention(q, k, values, options).output.data;
        for (const poison of [NaN, Infinity, -Infinity, 3e38]) {
          const [poisonedKeys, poisonedValues] = [k, values].map((matrix) => matrix.map((line, j) => (j === 2 ? line.map(() => poison) : line)));
          assertClose(engine.attention(q, poisonedKeys, poisonedValues, options).output.data, clean, 2e-6, String(poison));
        }
        const broken = engine.attention(q, k.map((line, j) => (j === 6 ? line.map(() => NaN) : line)), values, { scoring, causal: true }).output.toNested();
        assert.deepEqual(broken.map(([x]) => Number.isNaN(x)), [false, false, false, false, true]);
      });
    }

    test('the scale replaces 1; 0 gives uniform weights', () => {
      const scoring = /** @type {const} */ ({ kind: 'general', w: [[10]], b: 5 });
      assert.deepEqual(engine.scores([[3]], [[1], [2]], { scoring }).toNested(), [[35, 65]]);
      assert.deepEqual(engine.scores([[3]], [[1], [2]], { scoring, scale: 0.5 }).toNested(), [[17.5, 32.5]]);
      assert.deepEqual(engine.attention([[3]], [[1], [2]], [[0], [1]], { scoring, scale: 0 }).output.toNested(), [[0.5]]);
    });

    test('a zero vector has cosine 0', () => {
      assert.deepEqual(engine.scores([[0, 0], [3, 4]], [[0, 0], [6, 8], [-3e-39, -4e-39]], { scoring: { kind: 'cosine' } }).toNested(), [[0, 0, 0], [0, 1, -1]]);
    });

    test('parameters keep float64', () => {
      const scoring = /** @type {const} */ ({ kind: 'linear', w: new Float64Array([0.1, 1e-12]) });
      assert.deepEqual(engine.reference.scores([[1]], [[1]], { scoring: { ...scoring, w: { data: scoring.w, shape: [2] } } }).toNested(), [[0.1 + 1e-12]]);
    });

    test('the report counts vectors as they are multiplied', () => {
      const { report } = engine.attention(zeros(4, 2), zeros(4, 3), zeros(4, 5), { scoring: { kind: 'additive', wq: zeros(7, 2), wk: zeros(7, 3), v: zeros(7) } });
      assert.equal(report.flops, 2 * 16 * (7 + 5));
      assert.equal(report.headDim, 2);
    });

    test('no keys, no queries', () => {
      const scoring = /** @type {const} */ ({ kind: 'general', w });
      assert.deepEqual(engine.attention(zeros(2, 2), zeros(0, 3), zeros(0, 1), { scoring }).output.toNested(), [[0], [0]]);
      assert.deepEqual(engine.attention(zeros(0, 2), zeros(4, 3), zeros(4, 1), { scoring }).output.shape, [0, 1]);
      assert.deepEqual(engine.reference.scores(zeros(2, 2), zeros(0, 3), { scoring }).shape, [2, 0]);
    });
  });
}

describe('refusals of scoring', () => {
  const [{ engine }] = engines;
  /** @param {string} name @param {unknown} scoring @param {typeof TypeError | typeof RangeError} kind @param {string} sentence @param {any} [k] */
  const refused = (name, scoring, kind, sentence, k = zeros(4, 3)) =>
    test(name, () => refuses(engine, () => engine.scores(zeros(2, 2), k, { scoring: /** @type {any} */ (scoring) }), kind, sentence));

  refused('another kind', { kind: 'bilinear' }, TypeError, "scoring.kind: expected 'scaled-dot', 'dot', 'general', 'additive', 'cosine', 'linear' or 'trilinear', got \"bilinear\"");
  refused('no kind', {}, TypeError, "scoring.kind: expected 'scaled-dot', 'dot', 'general', 'additive', 'cosine', 'linear' or 'trilinear', got undefined");
  refused('a word', 'dot', TypeError, 'scoring: expected an object, got "dot"');
  refused('a parameter of another kind', { kind: 'general', w, v }, TypeError, 'scoring: expected known names (kind, w, b), got "v"');
  refused('a parameter of no kind', { kind: 'general', w, B: 1 }, TypeError, 'scoring: expected known names (did you mean "b"?), got "B"');
  refused('a missing parameter', { kind: 'general' }, TypeError, 'scoring.w: expected nested arrays of numbers or {data, shape}, got undefined');
  refused('w turned round', { kind: 'general', w: zeros(3, 2) }, RangeError, 'scoring.w: expected shape [2, 3] (width of q by width of k), got [3, 2]');
  refused('w of the wrong length', { kind: 'linear', w: [1, 2, 3] }, RangeError, 'scoring.w: expected shape [5] (width of q + width of k), got [3]');
  refused('w of the wrong length, trilinear', { kind: 'trilinear', w: zeros(4) }, RangeError, 'scoring.w: expected shape [6] (3 × width of q), got [4]', zeros(4, 2));
  refused('wq turned round', { kind: 'additive', wq: zeros(2, 4), wk: zeros(4, 3), v: zeros(4) }, RangeError, 'scoring.wq: expected shape [a, 2] (hidden units by width of q), got [2, 4]');
  refused('no hidden units', { kind: 'additive', wq: zeros(0, 2), wk: zeros(0, 3), v: zeros(0) }, RangeError, 'scoring.wq: expected shape [a, 2] (hidden units by width of q), got [0, 2]');
  refused('wk of other units', { kind: 'additive', wq: zeros(4, 2), wk: zeros(5, 3), v: zeros(4) }, RangeError, 'scoring.wk: expected shape [4, 3] (hidden units by width of k), got [5, 3]');
  refused('v of other units', { kind: 'additive', wq: zeros(4, 2), wk: zeros(4, 3), v: zeros(5) }, RangeError, 'scoring.v: expected shape [4] (hidden units), got [5]');
  refused('b that is no number', { kind: 'general', w, b: '1' }, TypeError, 'scoring.b: expected a finite number, got "1"');
  refused('b without end', { kind: 'general', w, b: Infinity }, RangeError, 'scoring.b: expected a finite number, got Infinity');
  for (const kind of ['scaled-dot', 'dot', 'cosine']) refused(`${kind} of different widths`, { kind }, RangeError, 'k: expected width 2 like q, got 3');
  refused('trilinear of different widths', { kind: 'trilinear', w: zeros(6) }, RangeError, 'k: expected width 2 like q, got 3');
  test('different widths without a scoring', () => {
    refuses(engine, () => engine.attention(zeros(2, 2), zeros(4, 3), zeros(4, 1)), RangeError, 'k: expected width 2 like q, got 3');
    refuses(engine, () => engine.linearAttention(zeros(2, 2), zeros(4, 3), zeros(4, 1)), RangeError, 'k: expected width 2 like q, got 3');
  });
});
