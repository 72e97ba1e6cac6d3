// The trace of the online softmax: replayed, it gives the result.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';
import { refuses } from './support/refuses.js';
import { zeros } from './support/tensors.js';

for (const { variant, engine } of engines) {
  describe(`trace (${variant})`, () => {
    test('every step is the recurrence, and the last gives the output', () => {
      const random = randomFrom(51);
      const [q, k, v] = [random.tensor([2, 4, 6, 3]), random.tensor([2, 2, 10, 3]), random.tensor([2, 2, 10, 2])];
      for (const options of [{ causal: true }, { window: 3 }, { causal: true, window: { left: 2, right: 0 }, scoring: /** @type {const} */ ({ kind: 'cosine' }) }, { scoreMod: (/** @type {number} */ score) => 2 * score }]) {
        for (const tile of [{ queries: 1, keys: 1 }, { queries: 4, keys: 3 }, { queries: 64, keys: 64 }]) {
          const { trace, output, report } = engine.attention(q, k, v, { ...options, tile, trace: true });
          const scores = engine.reference.scores(q, k, options).toNested();
          assert.equal(trace.tiles.length, report.tilesVisited + report.tilesSkipped);
          assert.equal(trace.tiles.filter(({ visited }) => visited).length, report.tilesVisited);
          assert.deepEqual(trace.tile, { queries: Math.min(tile.queries, 6), keys: Math.min(tile.keys, 10) });

          /** @type {Record<string, { max: number, sum: number, output: number[] }>} */
          const rows = {};
          for (const step of trace.tiles) {
            for (let i = step.queries[0]; i < step.queries[1]; i++) {
              const line = scores[step.batch][step.head][i];
              const row = (rows[`${step.batch} ${step.head} ${i}`] ??= { max: -Infinity, sum: 0, output: [0, 0] });
              const seen = line.slice(...step.keys);
              if (!step.visited) assert.ok(seen.every((/** @type {number} */ score) => score === -Infinity));
              const max = Math.max(row.max, ...seen);
              const decay = max === row.max ? 1 : Math.exp(row.max - max);
              row.sum *= decay;
              row.output = row.output.map((x) => x * decay);
              row.max = max;
              for (let j = step.keys[0]; j < step.keys[1]; j++) {
                if (line[j] === -Infinity) continue;
                const weight = Math.exp(line[j] - max);
                row.sum += weight;
                row.output = row.output.map((x, c) => x + weight * v.data[((step.batch * 2 + (step.head >> 1)) * 10 + j) * 2 + c]);
              }
              const at = i - step.queries[0];
              assertClose(step.max[at], row.max, 1e-6);
              assertClose(step.sum[at], row.sum, 4e-6);
              assertClose(step.output[at], row.output, 1e-5);
            }
          }
          const last = Object.entries(rows).map(([place, row]) => [...place.split(' ').map(Number), row.output.map((x) => (row.sum === 0 ? 0 : x / row.sum))]);
          for (const [b, h, i, result] of /** @type {[number, number, number, number[]][]} */ (last)) assertClose(output.toNested()[b][h][i], result, 2e-6);
          assert.deepEqual(output, engine.attention(q, k, v, { ...options, tile }).output);
        }
      }
    });

    test('by hand: one query, two tiles of two keys', () => {
      const { trace } = engine.attention([[1]], [[0], [Math.log(3)], [Math.log(5)], [0]], [[1], [2], [3], [4]], { scale: 1, tile: { queries: 1, keys: 2 }, trace: true });
      const [first, second] = trace.tiles;
      assert.deepEqual([first.queries, first.keys, first.visited], [[0, 1], [0, 2], true]);
      assertClose(first.max, [Math.log(3)]);
      assertClose(first.sum, [1 + 1 / 3]);
      assertClose(first.output, [[2 + 1 / 3]]);
      assert.deepEqual([second.batch, second.head, second.keys], [0, 0, [2, 4]]);
      assertClose(second.max, [Math.log(5)]);
      assertClose(second.sum, [(1 + 3 + 5 + 1) / 5]);
      assertClose(second.output, [[(1 + 6 + 15 + 4) / 5]]);
    });

    test('tiles that are not visited, rows without a key, no keys at all', () => {
      const { trace, output } = engine.attention(zeros(4, 1), zeros(4, 1), [[1], [2], [3], [4]], { causal: true, queryOffset: -1, tile: { queries: 2, keys: 2 }, trace: true });
      assert.deepEqual(trace.tiles.map(({ visited }) => visited), [true, false, true, true]);
      assert.deepEqual(trace.tiles[1], { ...trace.tiles[0], keys: [2, 4], visited: false });
      assert.deepEqual([trace.tiles[0].max[0], trace.tiles[0].sum[0], trace.tiles[0].output[0]], [-Infinity, 0, [0]]);
      assert.deepEqual(output.toNested(), [[0], [1], [1.5], [2]]);
      assert.deepEqual(engine.attention(zeros(2, 1), zeros(0, 1), zeros(0, 1), { trace: true }).trace.tiles, []);
    });

    test('only if asked for, and not for more than can be looked at', () => {
      assert.ok(!('trace' in engine.attention([[1]], [[1]], [[1]], { trace: false })));
      refuses(engine, () => engine.attention(zeros(1000, 1), zeros(1000, 1), zeros(1000, 1), { trace: true, tile: { queries: 1, keys: 1 } }), RangeError,
        'trace: expected at most 1000000 numbers (queries × tiles of keys × (width of a value + 2)), got a call with 3000000');
      refuses(engine, () => engine.attention([[1]], [[1]], [[1]], /** @type {any} */ ({ trace: 1 })), TypeError, 'trace: expected true or false, got 1');
      refuses(engine, () => engine.reference.attention([[1]], [[1]], [[1]], /** @type {any} */ ({ trace: true })), TypeError, /^options: expected known names/);
    });
  });
}
