// The float64 reference: right by an independent formula, and the yardstick for the kernel.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { formula } from './support/formula.js';
import { randomFrom } from './support/random.js';

/** Course note 2: numpy's default_rng(0), n = 4, d = 8; only the causal weights are printed there. */
const noteQueries = [
  [0.3758890046504279, 0.5205560302268952, -0.3535735551438236, -0.7135704350200708, -0.9971010380889158, 0.6953829635630928, 0.08753862113646714, 1.114624311901042],
  [-0.023573361320739797, -0.9895473094259234, -1.9534718244492049, -1.0915626515734933, 0.2443681707269759, 1.6626668607212867, -0.9052841299194032, -2.897086922281987],
  [0.9240429572947817, 0.2466317969392756, 0.2851172959291353, -0.8211440917714427, -0.16694878975356392, 0.036624992858247746, 0.05539650085245529, 0.1281839188902004],
  [-0.6929472854447732, -0.25459879352981657, 0.4468552551262989, 0.6293289226717479, 0.27742018507117394, 0.41556661542649126, -0.15979601520189776, 0.10680522111940369],
];
const noteKeys = [
  [0.12817189617546046, 0.11646589710509292, -0.8517711401764814, -0.7572728455851452, 0.149801265397643, 0.42800751216160793, -0.32193016611870734, -0.6924508909885186],
  [0.03568217801515675, 1.7341692806465971, 2.3818508304019823, 0.3339826505335503, 0.521613478683221, -2.158570413566511, 0.5112874536026649, -0.3363970100213934],
  [0.6732505793477738, 1.2197984660867338, -0.18281247551887295, -0.013598143422697486, 0.6860958687794655, -0.534195790176807, -0.20441699679359443, 0.2791948918662635],
  [-0.006317969887382482, -0.13571399636069104, 0.005068577969026863, 0.43821098240930634, -0.010688267150802701, -0.1698628731712304, 0.39195814221332037, -0.7212146831586623],
];
const noteWeights = [
  [1, 0, 0, 0],
  [0.995224, 0.004776, 0, 0],
  [0.308788, 0.340245, 0.350967, 0],
  [0.215772, 0.278035, 0.211411, 0.294782],
];

for (const { variant, engine } of engines) {
  describe(`reference (${variant})`, () => {
    test('the seeded causal example', () => {
      const options = /** @type {const} */ ({ causal: true, returnWeights: true });
      assertClose(engine.reference.attention(noteQueries, noteKeys, noteKeys, options).weights.toNested(), noteWeights, 5e-7);
      assertClose(engine.attention(noteQueries, noteKeys, noteKeys, options).weights.toNested(), noteWeights, 1e-6);
    });

    test('float64 throughout, weights included', () => {
      const result = engine.reference.attention([[1, 0]], [[1, 0], [0, 1]], [[0.1, 0], [0, 4]]);
      assert.deepEqual(Object.keys(result), ['output', 'weights']);
      assert.ok(result.output.data instanceof Float64Array);
      const weight = Math.exp(Math.SQRT1_2) / (Math.exp(Math.SQRT1_2) + 1);
      assertClose(result.weights.data, [weight, 1 - weight], 1e-15);
      assertClose(result.output.data, [0.1 * weight, 4 * (1 - weight)], 1e-15);
      assert.deepEqual(Object.keys(engine.reference.attention([[1]], [[1]], [[1]], { returnWeights: false, returnScores: true, returnLogSumExp: true })), ['output', 'scores', 'logSumExp']);
    });

    test('a bias counts in float64 as well', () => {
      const { output, scores } = engine.reference.attention([[0]], [[1], [1]], [[0], [1]], { bias: [[0.1, 0]], returnScores: true });
      assertClose(scores.data, [0.1, 0], 1e-15);
      assertClose(output.data, [1 / (1 + Math.exp(0.1))], 1e-15);
    });

    test('agrees with the formula written down independently', () => {
      const random = randomFrom(21);
      for (let round = 0; round < 30; round++) {
        const [batch, kvHeads, group] = [random.whole(1, 2), random.whole(1, 2), random.whole(1, 3)];
        const [nq, nk, d, dv] = [random.whole(1, 9), random.whole(1, 9), random.whole(1, 9), random.whole(1, 9)];
        const q = random.tensor([batch, kvHeads * group, nq, d]);
        const k = random.tensor([batch, kvHeads, nk, d]);
        const v = random.tensor([batch, kvHeads, nk, dv]);
        const expected = formula(q, k, v, (_b, _h, i, j) => j <= i + nk - nq);
        const { output, weights } = engine.reference.attention(q, k, v, { causal: true });
        assertClose(output.data, expected.output, 1e-13, `round ${round}: output`);
        assertClose(weights.data, expected.weights, 1e-13, `round ${round}: weights`);
      }
    });

    test('the kernel is within 1e-6 of it, large and odd sizes included', () => {
      const random = randomFrom(22);
      for (const [nq, nk, d, dv] of [[64, 64, 64, 64], [257, 300, 65, 33], [1, 1023, 40, 80], [300, 1, 3, 5]]) {
        const [q, k, v] = [random.tensor([nq, d]), random.tensor([nk, d]), random.tensor([nk, dv])];
        for (const options of [{}, { causal: true }, { window: 17 }]) {
          const expected = engine.reference.attention(q, k, v, options).output.data;
          assertClose(engine.attention(q, k, v, options).output.data, expected, 3e-6, `${nq} × ${nk}, ${JSON.stringify(options)}`);
        }
      }
    });

    test('the same rules for masked content, broken and empty rows', () => {
      const call = (/** @type {import('attn-widgets').AttentionOptions} */ options) => engine.reference.attention([[1], [1]], [[1], [NaN]], [[5], [Infinity]], options).output.data;
      assertClose(call({ allowKeys: [true, false] }), [5, 5]);
      assertClose(call({ allow: [[true, false], [false, false]] }), [5, 0]);
      assertClose(call({ allow: [[true, false], [false, false]], emptyRows: 'nan' }), [5, NaN]);
      assertClose(call({}), [NaN, NaN]);
    });
  });
}
