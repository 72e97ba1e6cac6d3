// Queries that may attend to nothing, on every path.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from './support/engines.js';

const [q, v] = [[[0], [0]], [[3], [5]]];
/** The first query sees the first key, the second sees none; what is hidden is broken. */
const [k, broken] = [[[0], [NaN]], [[3], [Infinity]]];
const options = /** @type {const} */ ({ allow: [[true, false], [false, false]], returnWeights: true, returnLogSumExp: true });
const identity = { wq: [[1]], wk: [[1]], wv: [[1]], heads: 1 };

for (const { variant, engine } of engines) {
  const { reference } = engine;

  /** Every call with outputs, as one that has both queries. @type {Record<string, (more: any) => any>} */
  const paths = {
    attention: (more) => engine.attention(q, k, broken, { ...options, ...more }),
    'reference.attention': (more) => reference.attention(q, k, broken, { ...options, ...more }),
    'attention in tiles of one key': (more) => engine.attention(q, k, broken, { ...options, tile: { queries: 1, keys: 1 }, ...more }),
    'attention by another scoring': (more) => engine.attention(q, k, broken, { ...options, scoring: { kind: 'additive', wq: [[1]], wk: [[1]], v: [1] }, ...more }),
    'attention with functions': (more) =>
      engine.attention(q, k, broken, { ...options, allow: undefined, maskMod: (_b, _h, i, j) => options.allow[i][j], scoreMod: (score) => score, ...more }),
    multiHeadAttention: (more) => engine.multiHeadAttention(q, { ...identity, context: k, contextValues: broken, ...options, ...more }),
    'reference.multiHeadAttention': (more) => reference.multiHeadAttention(q, { ...identity, context: k, contextValues: broken, ...options, ...more }),
    'a cache': (more) => {
      const cache = engine.createKvCache({ kvHeads: 1, headDim: 1, valueDim: 1 });
      cache.append(k, broken);
      const result = cache.attend(q, { ...options, ...more });
      cache.dispose();
      return result;
    },
  };

  describe(`empty rows (${variant})`, () => {
    test('A01: output and weights 0, log-sum-exp −∞, and the other row as if it were alone, on every path', () => {
      for (const [name, path] of Object.entries(paths)) {
        const { output, weights, logSumExp } = path({});
        assert.deepEqual([...output.data], [3, 0], name);
        if (weights) assert.deepEqual([...weights.data], [1, 0, 0, 0], name);
        if (logSumExp) assert.deepEqual([...logSumExp.data], [0, -Infinity], name);
        assert.deepEqual([...path({ emptyRows: 'nan' }).output.data], [3, NaN], name);
      }
    });

    test('A01: no gradient comes through, and there is nothing to explain', () => {
      for (const backward of [engine.attentionBackward, reference.attentionBackward]) {
        const { dQuery, dKey, dValue } = backward(q, k, broken, [[1], [1]], { allow: options.allow });
        assert.deepEqual([...dQuery.data, ...dKey.data, ...dValue.data].map(Math.abs), [0, 0, 0, 0, 1, 0]);
        const uniform = backward(q, v, v, [[0], [1]], { allow: options.allow, emptyRows: 'uniform' });
        assert.deepEqual([...uniform.dValue.data], [0.5, 0.5]);
      }
      const without = engine.explain.leaveOneOut(q, k, broken, { allow: options.allow });
      assert.deepEqual([...without.output.data, ...without.without.data, ...without.difference.data], [3, 0, 0, 3, 0, 0, 3, 0, 0, 0]);
      const replaced = engine.explain.replaceValue(q, k, broken, { key: 0, value: [7] }, { allow: options.allow });
      assert.deepEqual([...replaced.after.data], [7, 0]);
    });

    test('A01 A24: no keys at all', () => {
      const none = { data: [], shape: [0, 1] };
      const { output, weights } = engine.multiHeadAttention(q, { ...identity, context: none, bq: [1], wo: [[1]], bo: [2], returnWeights: true });
      assert.deepEqual([output.toNested(), weights.shape], [[[2], [2]], [1, 2, 0]]);
      assert.deepEqual([...engine.attentionBackward(q, none, none, q).dQuery.data], [0, 0]);
      assert.deepEqual([...engine.linearAttention(q, none, none).output.data], [0, 0]);
      assert.deepEqual(engine.explain.leaveOneOut(q, none, none).without.shape, [2, 0, 1]);
      const cache = engine.createKvCache({ kvHeads: 1, headDim: 1, valueDim: 1 });
      assert.deepEqual([...cache.attend(q, { returnLogSumExp: true }).logSumExp.data], [-Infinity, -Infinity]);
      cache.dispose();
    });
  });
}
