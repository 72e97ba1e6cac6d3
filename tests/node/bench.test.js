// The benchmark's own parts: a wrong one would give wrong figures without a word. No times are tested.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unable } from '../bench/contestants/contestant.js';
import { engineContestant } from '../bench/contestants/engine.js';
import { plain } from '../bench/contestants/plain.js';
import { accumulators, bytesPerRead, maddModule, mulAddModule, readModule } from '../bench/limit/programs.js';
import { isNoisy, shareOfLimit, timesAsFastAs } from '../bench/report/ratios.js';
import { targetRows } from '../bench/report/targets.js';
import { cases, chosenCases } from '../bench/suite/cases.js';
import { checkOf, tolerance } from '../bench/suite/check.js';
import { timeMany, warmUp } from '../bench/suite/clock.js';
import { measureCase } from '../bench/suite/measure.js';
import { addedToScores, createProblem, flopsOf, visibleCells } from '../bench/suite/problem.js';
import { median, quantile, ratio, spread } from '../bench/suite/statistics.js';
import { engines } from './support/engines.js';

const [{ engine }] = engines;
const { fround } = Math;

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {Promise<Record<string, any>>} */
const exportsOf = async (bytes) => (await WebAssembly.instantiate(bytes)).instance.exports;

test('the arithmetic of the limit is what it says, to the bit', async () => {
  const loops = await exportsOf(mulAddModule());
  for (const sums of accumulators) {
    const turns = 3;
    let right = 0;
    for (let i = 0; i < sums; i++) {
      let sum = fround(i / 64);
      for (let step = 0; step < 4 * turns; step++) sum = fround(fround(sum * fround(0.999)) + fround(0.001));
      right = fround(right + sum);
    }
    assert.equal(loops[`mulAdd${sums}`](turns), right);
  }
});

test('the relaxed module is refused or works, as the engine has it', async () => {
  const bytes = maddModule();
  if (!WebAssembly.validate(bytes)) return assert.rejects(WebAssembly.instantiate(bytes), WebAssembly.CompileError);
  for (const run of Object.values(await exportsOf(bytes))) assert.ok(Number.isFinite(run(3)));
});

test('reading reads every vector once', async () => {
  const { read, memory } = await exportsOf(readModule(65536));
  // Numbered vectors: their sum, exact in float32, tells which were read.
  const numbers = new Float32Array(memory.buffer);
  for (let at = 0; at < numbers.length; at += 4) numbers[at] = at / 4;
  assert.equal(read(0, 65536), (4096 * 4095) / 2);
  const vectors = bytesPerRead / 16;
  assert.equal(read(bytesPerRead, bytesPerRead), (vectors * (3 * vectors - 1)) / 2);
});

test('medians, quantiles, spread and ratios', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(quantile([10, 20, 30, 40, 50], 0.25), 20);
  assert.equal(spread([10, 20, 30, 40, 50]), 20 / 30);
  assert.equal(ratio([2, 40, 6], [1, 20, 3]), 2, 'a slow round falls on both');
});

test('F06: at least 20 calls warm up, first call and later ones are apart, and there is a time for every round', async () => {
  let calls = 0;
  await warmUp(() => ++calls, { atLeastMs: 0, atMostMs: 1000 });
  assert.ok(calls >= 20, `${calls} calls`);
  assert.ok((await timeMany(() => 0, 10)) >= 0);

  const limit = { mulAdd: async () => 40, reading: async () => async () => 20, figures: [], withoutRelaxed: undefined };
  const effort = { rounds: 5, limitMs: 0, warmUp: { atLeastMs: 0, atMostMs: 1000 } };
  const wrong = { name: 'wrong', ways: () => ({ ones: () => ({ run: () => [new Float32Array(32).fill(1)] }) }) };
  const absent = { name: 'absent', ways: () => ({ none: () => Promise.reject(new Unable('not here')) }) };
  const field = { engine, own: engineContestant(engine), others: [plain, wrong, absent], limit, effort };
  const result = await measureCase({ name: 'small', wanted: { queries: 4, width: 8, causal: true }, beside: { full: { queries: 4, width: 8 } } }, field);
  const [own, loops, ...others] = result.contestants;
  for (const entry of [own, loops]) {
    assert.ok('times' in entry);
    assert.ok(entry.firstMs > 0 && entry.error < 1e-6);
    assert.equal(entry.times.length, 5);
  }
  assert.equal(result.limit.length, 5);
  assert.equal(result.beside.full.times.length, 5);
  assert.match(JSON.stringify(others[0]), /a wrong result/);
  assert.deepEqual(others[1], { name: 'absent', unable: 'not here' });
  assert.equal(result.flops, 4 * 8 * 10);
});

for (const wanted of [{ queries: 300 }, { queries: 70, causal: true }, { queries: 50, window: 9 }, { queries: 40, allow: /** @type {const} */ ('random') }, { queries: 40, bias: true }, { queries: 48, blocks: 16 }, { queries: 1, keys: 90, heads: 4, kvHeads: 2 }]) {
  test(`results are compared with float64: ${JSON.stringify(wanted)}`, () => {
    const problem = createProblem({ width: 8, ...wanted });
    const check = checkOf(engine, problem);
    const runOf = (/** @type {import('../bench/contestants/contestant.js').Contestant} */ { ways }) => /** @type {any} */ (Object.values(ways(problem))[0](problem)).run()[0];
    for (const contestant of [plain, engineContestant(engine)]) {
      const output = runOf(contestant);
      assert.ok(check([output]) < 1e-6);
      output[output.length - 1] += 0.01;
      assert.ok(check([output]) > tolerance, 'a difference is noticed');
      output[output.length - 1] = NaN;
      assert.equal(check([output]), Infinity);
    }
    assert.equal(check([new Float32Array(1)]), Infinity);
  });
}

test('what peers add to scores hides what the rules hide', () => {
  const problem = createProblem({ queries: 20, width: 4, causal: true, window: 5 });
  const mask = engine.mask({ queries: 20, keys: 20, causal: true, window: 5 });
  const added = addedToScores(problem);
  assert.deepEqual(Array.from(mask.data), Array.from(added ?? [], (x) => Number(x === 0)));
  assert.equal(visibleCells(problem), mask.data.reduce((sum, x) => sum + x, 0));
  assert.equal(addedToScores(createProblem({ queries: 20, width: 4 })), undefined);
  assert.equal(flopsOf(createProblem({ queries: 10, keys: 20, width: 4, valueWidth: 6, heads: 2 })), 2 * 2 * 200 * 10);
});

test('cases are chosen by words of their names', () => {
  const namesFor = (/** @type {string[]} */ ...names) => chosenCases({ names, quick: false }).map(({ name }) => name);
  assert.equal(namesFor().length, cases.length);
  assert.deepEqual(namesFor('full', 'memory').filter((name) => !name.startsWith('full')), []);
  assert.ok(namesFor('causal').length > 1);
  assert.deepEqual(namesFor('n=1023'), ['odd n=1023 d=65']);
  assert.deepEqual(namesFor('memory', 'workers'), []);
  assert.throws(() => namesFor('ful'), /expected words of tiny n=8.*got "ful"/);
  const quick = chosenCases({ names: [], quick: true });
  assert.ok(quick.length > 0 && quick.length < cases.length);
});

test('targets: reached, missed, not built, not run, and too noisy to say', () => {
  const timed = (/** @type {string} */ name, /** @type {number} */ ms) => ({ name, way: '', error: 1e-7, firstMs: 9, times: [ms, ms, ms] });
  const result = (/** @type {number[]} */ limit) => ({ name: 'full n=1024', flops: 40e6, bytes: 0, contestants: [timed('attn-widgets', 1), timed('onnxruntime-web', 1.5), { name: 'LiteRT.js', unable: 'runs in browsers only' }], beside: {}, limit, limitUnit: /** @type {const} */ ('GFLOP/s') });
  const rows = (/** @type {number[]} */ limit) => {
    const suite = { contestants: [], limits: [], cases: [result(limit)], memory: undefined, workers: [{ name: 'n=2048', one: [19, 20], two: [10, 10], threads: 2 }] };
    return targetRows({ place: 'node', machine: '', suite, weights: { engine: 30_000, everything: 120_000 } }).map(({ what, figure, reached }) => [what, figure, reached].join(': '));
  };
  assert.equal(shareOfLimit(result([50, 50, 50]), timed('', 1)), 0.8);
  assert.equal(timesAsFastAs(result([50, 50, 50]), 'onnxruntime-web'), 1.5);
  assert.ok(isNoisy(result([50, 40, 30])) && !isNoisy(result([50, 50, 48])));
  const quiet = rows([50, 50, 50]);
  assert.deepEqual(quiet.slice(0, 3), ['share of the limit: 0.80: must', 'times as fast as onnxruntime-web: 1.50: MISSED', 'times as fast as LiteRT.js: runs in browsers only: ']);
  assert.ok(quiet.includes('times as fast as one: 1.95: aim') && quiet.includes('engine wasm, gzipped: 30.0 kB: aim'));
  assert.ok(!quiet.some((line) => line.startsWith('time against full')), 'cases that were not run have no row');
  assert.match(rows([50, 40, 30])[0], /: ~/);
});
