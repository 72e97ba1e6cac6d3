// Several threads: the bits of one, each with the inputs it needs; progress, cancellation, and what happens if one dies.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadEngine } from 'attn-widgets';
import { engines } from './support/engines.js';
import { wasmOf } from './support/fresh-engine.js';
import { largeCalls } from './support/large-calls.js';
import { assertStillRight } from './support/refuses.js';
import { assertSame, assertSameOnThreads } from './support/same-result.js';
import { zeros } from './support/tensors.js';
import { program } from './support/watched-workers.js';

/** @typedef {import('attn-widgets').Engine} Engine */

const two = [[1, 0], [0, 1]];

/** An engine with threads that no other test has used. @param {number} threads @param {string} [variant] */
const fresh = (threads, variant = 'simd') => loadEngine({ wasm: wasmOf(variant), threads });

/** A call of several hundred milliseconds on one thread. */
const large = () => ({ data: Float32Array.from({ length: 3000 * 128 }, (_, i) => Math.sin(i)), shape: [3000, 128] });

describe('the option', () => {
  test('is a whole number of at least 1; more than 16 count as 16', async () => {
    for (const [threads, name, got] of /** @type {const} */ ([[0, 'RangeError', '0'], [-1, 'RangeError', '-1'], [1.5, 'RangeError', '1.5'], [NaN, 'RangeError', 'NaN'], ['2', 'TypeError', '"2"'], [true, 'TypeError', 'true'], [null, 'TypeError', 'null']])) {
      await assert.rejects(loadEngine({ threads: /** @type {any} */ (threads) }), { name, message: `threads: expected a whole number of at least 1, got ${got}` });
    }
    assert.equal((await loadEngine({ threads: 1e9 })).info.threads, 16);
    assert.equal(await loadEngine({ threads: 20 }), await loadEngine({ threads: 16 }));
    assert.equal(await loadEngine({ threads: 1 }), await loadEngine());
    assert.notEqual(await loadEngine({ threads: 2 }), await loadEngine());
    assert.equal((await loadEngine({ threads: 2 })).info.threads, 2);
  });
});

describe('the same bits and counts', () => {
  for (const threads of [1, 2, 3, 5]) {
    test(`F13: ${threads} threads give them, whatever the shape and the options`, async () => {
      const engine = await loadEngine({ threads });
      for (let i = 0; i < 100 && (await engine.attentionAsync(large(), large(), large())).report.threads < threads; i++); // they start meanwhile
      let most = 0;
      for (const call of largeCalls(threads, 25)) {
        const got = await engine.attentionAsync(...call);
        assert.ok(threads === 1 || got.report.threads > 1, 'it was not split');
        most = Math.max(most, got.report.threads);
        assertSameOnThreads(got, engine.attention(...call));
      }
      assert.equal(most, threads);
      engine.dispose();
    });
  }

  test('with functions as well', async () => {
    const engine = await fresh(3);
    const x = { data: large().data.slice(0, 600 * 640), shape: [600, 640] };
    const options = { maskMod: (/** @type {any[]} */ ...[, , i, j]) => (i * j) % 7 !== 1, scoreMod: (/** @type {number} */ score) => score / 2, allow: { data: new Array(600).fill(true), shape: [1, 600] } };
    const got = await engine.attentionAsync(x, x, x, options);
    assertSameOnThreads(got, engine.attention(x, x, x, options));
    assertSameOnThreads(await engine.attentionAsync(x, x, x, options), engine.attention(x, x, x, options));
    engine.dispose();
  });

  test('without shared memory too, and each thread gets what it needs alone', async () => {
    const outcome = await program(`
      const engine = await loadEngine({ threads: 2 });
      const x = tensor(16, 512, 64);
      await onAll(2, () => engine.attentionAsync(x, x, x));
      const all = 3 * x.data.byteLength;
      posted = 0;
      const heads = await engine.attentionAsync(x, x, x);
      const ofHeads = posted / all;
      const y = tensor(2048, 64);
      posted = 0;
      const rows = await engine.attentionAsync(y, y, y, { causal: true, allow: { data: new Array(2048 * 2048).fill(true), shape: [2048, 2048] } });
      const ofRows = posted / (3 * y.data.byteLength + 2048 * 2048);
      console.log(JSON.stringify({
        same: same(heads, engine.attention(x, x, x)) && same(rows, engine.attention(y, y, y, { causal: true })),
        threads: [heads.report.threads, rows.report.threads], ofHeads, ofRows, untouched: x.data.length,
      }));
    `, 'delete globalThis.SharedArrayBuffer; globalThis.crossOriginIsolated = false;');
    const { ofHeads, ofRows, ...rest } = outcome;
    assert.deepEqual(rest, { same: true, threads: [2, 2], untouched: 16 * 512 * 64 });
    assert.ok(ofHeads >= 1 && ofHeads < 1.3, `${ofHeads} times the inputs were posted for 16 heads`);
    assert.ok(ofRows > 1 && ofRows < 1.4, `${ofRows} times the inputs were posted for one head`);
  });

  test('with shared memory there is one buffer for all calls, one at a time, and threads copy nothing for each other; weights are too large for it', async () => {
    const outcome = await program(`
      const engine = await loadEngine({ threads: 2 });
      const x = tensor(8, 512, 64);
      const results = [await onAll(2, () => engine.attentionAsync(x, x, x))];
      for (let i = 0; i < 5; i++) results.push(await engine.attentionAsync(x, x, x));
      const [one, copied] = [shared, posted + returned];
      const wanted = engine.attention(x, x, x);
      const others = [1, 2, 3].map((factor) => ({ ...x, data: x.data.map((value) => value * factor) }));
      const atOnce = await Promise.all(others.map((other) => engine.attentionAsync(other, x, other)));
      const right = atOnce.every((result, i) => same(result, engine.attention(others[i], x, others[i])));
      const split = [...results, ...atOnce].every(({ report }) => report.threads === 2);
      const y = tensor(1500, 64);
      const before = returned;
      const weighted = await engine.attentionAsync(y, y, y, { returnWeights: true });
      const wantedWeights = engine.attention(y, y, y, { returnWeights: true }).weights.data;
      const weights = weighted.weights.data.every((weight, i) => weight === wantedWeights[i]);
      console.log(JSON.stringify({ same: results.every((result) => same(result, wanted)), right, one, copied, shared, split, weights, own: returned - before }));
    `, 'let shared = 0; globalThis.SharedArrayBuffer = class extends SharedArrayBuffer { constructor(bytes) { super(bytes); shared++; } };');
    assert.deepEqual(outcome, { same: true, right: true, one: 1, copied: 0, shared: 1, split: true, weights: true, own: 4 * 1500 * (1500 + 64) });
  });
});

describe('which calls are split', () => {
  test('F09: small ones are not split, nor do they start a second worker', async () => {
    const outcome = await program(`
      const engine = await loadEngine({ threads: 4 });
      const callOf = (...shape) => {
        const x = tensor(...shape);
        return () => engine.attentionAsync(x, x, x);
      };
      const small = [];
      for (const shape of [[2, 3], [400, 64], [8, 128, 64], [1, 64]]) small.push((await callOf(...shape)()).report.threads);
      const started = workers.length;
      const large = await onAll(4, callOf(3000, 64));
      console.log(JSON.stringify({ small, started, large: large.report.threads, workers: workers.length, sync: engine.attention([[1]], [[1]], [[1]]).report.threads }));
    `);
    assert.deepEqual(outcome, { small: [1, 1, 1, 1], started: 1, large: 4, workers: 4, sync: 1 });
  });

  test('a window counts, and there are no more threads than tiles', async () => {
    const engine = await fresh(2);
    const [q, k] = [zeros(600, 64), zeros(6000, 64)];
    assert.equal((await engine.attentionAsync(q, k, k, { window: 64 })).report.threads, 1);
    const [wide, keys] = [zeros(64, 512), zeros(4000, 512)];
    for (let i = 0; i < 2; i++) assert.equal((await engine.attentionAsync(wide, keys, keys)).report.threads, 1);
    engine.dispose();
  });

  test('calls without queries, keys or batch entries give what attention gives', async () => {
    const engine = await fresh(3);
    for (const [q, k] of [[zeros(0, 2), zeros(3, 2)], [zeros(3, 2), zeros(0, 2)], [zeros(0, 2), zeros(0, 2)], [zeros(0, 1, 3, 2), zeros(0, 1, 3, 2)], [zeros(5, 0, 2), zeros(5, 3, 2)]]) {
      assertSame(await engine.attentionAsync(q, k, k, { returnWeights: true }), engine.attention(q, k, k, { returnWeights: true }));
    }
    engine.dispose();
  });
});

for (const { variant } of engines) {
  describe(`on several threads (${variant})`, () => {
    test('progress grows to 1 over all of them, and aborting stops all', async () => {
      const engine = await fresh(3, variant);
      const x = large();
      await engine.attentionAsync(x, x, x);
      /** @type {number[]} */
      const seen = [];
      const start = performance.now();
      await engine.attentionAsync(x, x, x, { onProgress: (done) => seen.push(done) });
      const whole = performance.now() - start;
      assert.ok(seen.length > 5 && seen.every((done, i) => done > (seen[i - 1] ?? 0)), `${seen}`);
      assert.equal(seen[seen.length - 1], 1);

      const controller = new AbortController();
      const again = performance.now();
      const aborted = engine.attentionAsync(x, x, x, { signal: controller.signal, onProgress: () => controller.abort() });
      const next = engine.attentionAsync(two, two, two);
      await assert.rejects(aborted, { name: 'AbortError' });
      assertSame(await next, engine.attention(two, two, two));
      const took = performance.now() - again;
      assert.ok(took < whole * 0.7, `${took} ms until the next call was done, of ${whole} ms`);
      assertSameOnThreads(await engine.attentionAsync(x, x, x), engine.attention(x, x, x));
      engine.dispose();
    });
  });
}

describe('the life of the workers', () => {
  test('what one leaves undone when it dies, the others do; the next call has all again', async () => {
    const outcome = await program(`
      const engine = await loadEngine({ threads: 3 });
      const x = tensor(3000, 128);
      const call = () => engine.attentionAsync(x, x, x);
      await onAll(3, call);
      const wanted = engine.attention(x, x, x);
      const died = [];
      for (const victims of [[1], [0], [0, 2]]) {
        const living = workers.slice(-3);
        let killed = false;
        const result = await engine.attentionAsync(x, x, x, { onProgress: () => killed ||= victims.map((i) => living[i].terminate()) });
        died.push(same(result, wanted));
        const after = await onAll(3, call);
        died.push(same(after, wanted));
      }
      const stuck = workers[workers.length - 1];
      stuck.postMessage = () => setTimeout(() => stuck.terminate(), 600);
      let before;
      died.push(same(await engine.attentionAsync(x, x, x, { onProgress: (done) => (before ??= done > 0.9 ? performance.now() : undefined) }), wanted));
      const waited = performance.now() - before > 100;
      const { report } = await onAll(3, call);
      console.log(JSON.stringify({ died, waited, threads: report.threads, most: engine.info.threads }));
    `);
    assert.deepEqual(outcome, { died: new Array(7).fill(true), waited: true, threads: 3, most: 3 });
  });

  test('if all die, the call is refused, once, and the next one starts others', async () => {
    const outcome = await program(`
      const engine = await loadEngine({ threads: 2 });
      const x = tensor(3000, 128);
      await onAll(2, () => engine.attentionAsync(x, x, x));
      const lost = await engine.attentionAsync(x, x, x, { onProgress: () => workers.forEach((worker) => worker.terminate()) }).catch(String);
      const after = await onAll(2, () => engine.attentionAsync(x, x, x));
      console.log(JSON.stringify({ lost, same: same(after, engine.attention(x, x, x)), workers: workers.length }));
    `);
    assert.match(outcome.lost, /^RangeError: attention: expected at least \d+ bytes of free memory on this device, got less$/);
    assert.deepEqual({ ...outcome, lost: '' }, { lost: '', same: true, workers: 4 });
  });

  test('one that cannot be started is done without, and `info` says so', async () => {
    const outcome = await program(`
      const engine = await loadEngine({ threads: 4 });
      const x = tensor(2000, 128);
      const first = await engine.attentionAsync(x, x, x);
      const second = await onAll(2, () => engine.attentionAsync(x, x, x));
      for (let i = 0; engine.info.threads > 2 && i < 100; i++) await engine.attentionAsync(x, x, x);
      const wanted = engine.attention(x, x, x);
      console.log(JSON.stringify({ same: same(first, wanted) && same(second, wanted), threads: second.report.threads, most: engine.info.threads }));
    `, 'const { Worker: Starts } = { Worker: Watched }; process.getBuiltinModule = (name) => (name === "worker_threads" ? { ...threads, Worker: class extends Starts { constructor(...args) { if (workers.length === 2) throw new Error("no more"); super(...args); } } } : getBuiltinModule(name));');
    assert.deepEqual(outcome, { same: true, threads: 2, most: 2 });
  });

  test('dispose ends all; a process does not wait for idle ones, nor for those that come too late', async () => {
    const ended = await program(`
      const engine = await loadEngine({ threads: 3 });
      const x = tensor(2000, 128);
      await onAll(3, () => engine.attentionAsync(x, x, x));
      const waiting = engine.attentionAsync(x, x, x).catch(({ message }) => message);
      await new Promise((resolve) => setTimeout(resolve, 5));
      engine.dispose();
      const why = await waiting;
      while (ended < 3) await new Promise((resolve) => setTimeout(resolve, 5));
      console.log(JSON.stringify({ why, started: workers.length }));
    `);
    assert.match(ended.why, /^attention: expected a live engine, got one that was disposed/);
    assert.equal(ended.started, 3);
    assert.deepEqual(await program(`
      const engine = await loadEngine({ threads: 3 });
      const x = tensor(1000, 128);
      await onAll(3, () => engine.attentionAsync(x, x, x));
      console.log(JSON.stringify(workers.length));
    `), 3);
    assert.equal(await program(`
      const engine = await loadEngine({ threads: 8 });
      const x = tensor(1500, 64);
      await engine.attentionAsync(x, x, x);
      console.log('true');
    `), true);
  });

  test('dispose while the first worker is starting leaves none behind', async () => {
    const { started, ended, whys } = await program(`
      const x = tensor(2000, 64);
      const whys = [];
      for (const ms of [0, 1, 20, 60]) {
        const engine = await loadEngine({ threads: 3 });
        const waiting = engine.attentionAsync(x, x, x).catch(({ message }) => message);
        await new Promise((resolve) => setTimeout(resolve, ms));
        engine.dispose();
        whys.push(await waiting);
      }
      const deadline = performance.now() + 3000;
      while (ended < workers.length && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 500));
      console.log(JSON.stringify({ started: workers.length, ended, whys }));
    `);
    for (const why of whys) assert.match(why, /^attention: expected a live engine/);
    assert.ok(started >= 4);
    assert.equal(ended, started);
  });

  test('arguments that make calls of their own while they are read', async () => {
    const engine = await fresh(2);
    const x = large();
    /** @type {Promise<any>[]} */
    const inner = [];
    const data = new Proxy(Array.from(x.data.subarray(0, 3000)), { get: (target, name) => {
      if (name === '7' && inner.length < 3) inner.push(engine.attentionAsync(x, x, x));
      return Reflect.get(target, name);
    } });
    const column = { data, shape: [3000, 1] };
    const outer = await engine.attentionAsync(x, x, column);
    assert.ok(inner.length > 0);
    assertSameOnThreads(outer, engine.attention(x, x, { data: x.data.slice(0, 3000), shape: [3000, 1] }));
    for (const result of await Promise.all(inner)) assertSameOnThreads(result, engine.attention(x, x, x));
    assertStillRight(engine);
    engine.dispose();
  });
});
