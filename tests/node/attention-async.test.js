// attentionAsync: the results and refusals of attention, to the bit, from a thread of its own.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { engines } from './support/engines.js';
import { freshEngine } from './support/fresh-engine.js';
import { randomFrom } from './support/random.js';
import { assertStillRight } from './support/refuses.js';
import { assertSame } from './support/same-result.js';
import { zeros } from './support/tensors.js';

/** @typedef {import('attn-widgets').Engine} Engine */

const two = [[1, 0], [0, 1]];
const values = [[2, 0], [0, 4]];

/** A call of several hundred milliseconds, in some fifty parts. */
const large = () => ({ data: new Float32Array(2000 * 128).fill(0.5), shape: [2000, 128] });

/** Fails unless the promise rejects with this very reason. @param {Promise<unknown>} promise @param {unknown} reason */
const rejectsWith = (promise, reason) => promise.then(() => assert.fail('it did not reject'), (why) => assert.equal(why, reason));

for (const { variant, engine } of engines) {
  describe(`attentionAsync (${variant})`, () => {
    test('gives the bits of attention, and its report, whatever the shape and the options', async () => {
      const random = randomFrom(7);
      for (let round = 0; round < 60; round++) {
        const [batch, kvHeads, queries, keys] = [random.whole(1, 2), random.whole(1, 2), random.pick([0, 1, 5, 64, 65, 200]), random.pick([0, 1, 7, 64, 130])];
        const [heads, d, dv] = [kvHeads * random.whole(1, 2), random.whole(1, 20), random.whole(1, 20)];
        const leading = random.pick([(/** @type {number} */ h) => [batch, h], (/** @type {number} */ h) => [h]]);
        const [q, k, v] = [random.tensor([...leading(heads), queries, d]), random.tensor([...leading(kvHeads), keys, d]), random.tensor([...leading(kvHeads), keys, dv])];
        if (queries > 2 && round % 5 === 0) q.data[0] = 3e38;
        const allow = { data: Uint8Array.from({ length: queries * keys }, () => Number(random.next() < 0.7)), shape: [queries, keys], dtype: /** @type {const} */ ('bool') };
        const options = {
          causal: random.next() < 0.5,
          ...random.pick([{}, { allow }, { bias: random.tensor([heads, queries, keys]) }, { window: 9, queryOffset: 3 }, { softcap: 2, scale: 0.3 }, { tile: { queries: 7, keys: 33 } }]),
          emptyRows: random.pick([/** @type {const} */ ('zero'), /** @type {const} */ ('nan'), /** @type {const} */ ('uniform')]),
          returnWeights: random.next() < 0.5,
          returnScores: random.next() < 0.5,
          returnLogSumExp: random.next() < 0.5,
        };
        assertSame(await engine.attentionAsync(q, k, v, options), engine.attention(q, k, v, options));
      }
    });

    test('rejects with the refusals of attention', async () => {
      /** @type {any[][]} */
      const calls = [
        [],
        [two, two],
        [two, [[1, 0, 0]], values],
        [two, two, [[1]]],
        [[[1], [2, 3]], two, values],
        [two, two, values, { casual: true }],
        [two, two, values, { window: 0 }],
        [two, two, values, { allow: [[1, 0]] }],
        [two, two, values, 7],
        [zeros(20000, 1), zeros(20000, 1), zeros(20000, 1), { returnWeights: true }],
        [[[[1]]], [[[1]], [[1]]], [[[1]], [[1]]]],
      ];
      for (const call of calls) {
        /** @type {any} */
        let refusal;
        try {
          engine.attention.apply(undefined, /** @type {any} */ (call));
        } catch (error) {
          refusal = error;
        }
        assert.ok(refusal);
        const promise = engine.attentionAsync.apply(undefined, /** @type {any} */ (call));
        await assert.rejects(promise, (/** @type {any} */ error) => {
          assert.equal(Object.getPrototypeOf(error), Object.getPrototypeOf(refusal));
          assert.equal(error.message, refusal.message);
          return true;
        });
        assertStillRight(engine);
      }
      await assert.rejects(engine.attentionAsync(two, two, values, { signal: /** @type {any} */ (true) }), { name: 'TypeError', message: 'signal: expected an AbortSignal, got true' });
      await assert.rejects(engine.attentionAsync(two, two, values, { onProgress: /** @type {any} */ ({}) }), { name: 'TypeError', message: 'onProgress: expected a function, got an object' });
    });

    test('progress grows to 1, in more than one step where there is something to wait for', async () => {
      for (const [q, least] of /** @type {const} */ ([[large(), 3], [zeros(0, 2), 1], [zeros(1, 2), 1]])) {
        /** @type {number[]} */
        const seen = [];
        await engine.attentionAsync(q, q.shape[0] ? q : zeros(3, 2), q.shape[0] ? q : zeros(3, 2), { onProgress: (done) => seen.push(done) });
        assert.ok(seen.length >= least, `${seen}`);
        assert.equal(seen[seen.length - 1], 1);
        for (let i = 1; i < seen.length; i++) assert.ok(seen[i] > seen[i - 1] && seen[i - 1] > 0, `${seen}`);
      }
    });

    test('arguments stay as they are, and what happens to them later does not matter', async () => {
      const data = Float32Array.from([1, 0, 0, 1, 9, 9]);
      const shared = new Float32Array(new SharedArrayBuffer(16)).fill(1);
      const view = { data: data.subarray(0, 4), shape: [2, 2] };
      const expected = engine.attention(view, view, { data: shared, shape: [2, 2] }).output;
      const promise = engine.attentionAsync(view, view, { data: shared, shape: [2, 2] });
      assert.deepEqual([...data], [1, 0, 0, 1, 9, 9]);
      data.fill(7);
      shared.fill(7);
      structuredClone(data.buffer, { transfer: [data.buffer] });
      assert.deepEqual((await promise).output, expected);
    });

    test('a signal that is already aborted rejects at once, with its reason', async () => {
      const reason = new Error('too late');
      let rejected = false;
      const promise = engine.attentionAsync(two, two, values, { signal: AbortSignal.abort(reason) }).catch((why) => (rejected = why === reason));
      await Promise.resolve();
      await Promise.resolve();
      assert.ok(rejected);
      await promise;
    });

    test('aborted on its way it rejects before the work is done, and the engine goes on', async () => {
      const whole = await timeOf(() => engine.attentionAsync(large(), large(), large()));
      for (const reason of [undefined, new Error('enough')]) {
        const controller = new AbortController();
        const promise = engine.attentionAsync(large(), large(), large(), { signal: controller.signal, onProgress: () => controller.abort(reason) });
        /** @type {any} */
        let why;
        const took = await timeOf(() => promise.catch((given) => (why = given)));
        assert.equal(why, controller.signal.reason);
        if (!reason) assert.equal(why.name, 'AbortError');
        assert.ok(took < whole / 2, `${took} ms of ${whole} ms`);
        assertSame(await engine.attentionAsync(two, two, values), engine.attention(two, two, values));
        assertStillRight(engine);
      }
    });

    test('aborting one of many leaves the others', async () => {
      const controller = new AbortController();
      const first = engine.attentionAsync(large(), large(), large());
      const second = engine.attentionAsync(large(), large(), large(), { signal: controller.signal });
      const third = engine.attentionAsync(two, two, values);
      controller.abort();
      await rejectsWith(second, controller.signal.reason);
      assertSame(await third, engine.attention(two, two, values));
      assert.equal((await first).output.shape[0], 2000);
    });

    test('signals of another making are refused or ignored, and later calls get their answers', async () => {
      const signal = (/** @type {object} */ own) => /** @type {any} */ ({ [Symbol.toStringTag]: 'AbortSignal', ...own });
      const fails = () => { throw new Error('mine'); };
      const unreadable = { name: 'TypeError', message: /^signal: expected a value that can be read, got an error while reading it/ };
      await assert.rejects(engine.attentionAsync(two, two, values, { signal: signal({}) }), unreadable);
      await assert.rejects(engine.attentionAsync(two, two, values, { signal: signal({ addEventListener: fails }) }), unreadable);
      await assert.rejects(engine.attentionAsync(two, two, values, { signal: Object.defineProperty(signal({}), 'aborted', { get: fails }) }), unreadable);
      await assert.rejects(engine.attentionAsync(two, two, values, { signal: Object.defineProperty(signal({ aborted: true }), 'reason', { get: fails }) }), { name: 'AbortError' });
      await assert.rejects(engine.attentionAsync(two, two, values, { signal: signal({ addEventListener: (/** @type {string} */ _, /** @type {() => void} */ abort) => abort() }) }), { name: 'AbortError' });
      const stubborn = signal({ addEventListener() {}, removeEventListener: fails });
      assertSame(await engine.attentionAsync(two, two, values, { signal: stubborn }), engine.attention(two, two, values));
    });

    test('what onProgress throws, the promise rejects with', async () => {
      const mine = new Error('mine');
      await rejectsWith(engine.attentionAsync(two, two, values, { onProgress() { throw mine; } }), mine);
      assertSame(await engine.attentionAsync(two, two, values), engine.attention(two, two, values));
    });

    test('many at once get each its own', async () => {
      const results = await Promise.all(Array.from({ length: 30 }, (_, i) => engine.attentionAsync([[0]], [[0]], [[i]])));
      assert.deepEqual(results.map(({ output }) => output.data[0]), Array.from({ length: 30 }, (_, i) => i));
    });
  });
}

/** @param {() => Promise<unknown>} work */
async function timeOf(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

describe('the life of the worker', () => {
  test('a signal is left with no listeners', async () => {
    const engine = await freshEngine('simd');
    let listeners = 0;
    const signal = new AbortController().signal;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (/** @type {any[]} */ ...args) => (listeners++, addEventListener.apply(signal, /** @type {any} */ (args)));
    signal.removeEventListener = (/** @type {any[]} */ ...args) => (listeners--, removeEventListener.apply(signal, /** @type {any} */ (args)));
    await engine.attentionAsync(two, two, values, { signal });
    await assert.rejects(engine.attentionAsync(two, two, values, { signal, onProgress() { throw new Error('mine'); } }));
    assert.equal(listeners, 0);
    engine.dispose();
  });

  test('100 calls take one worker and no more memory than ten', async () => {
    const engine = await freshEngine('simd');
    const q = { data: new Float32Array(400 * 32).fill(0.1), shape: [400, 32] };
    const call = async (/** @type {number} */ i) => {
      const controller = new AbortController();
      const promise = engine.attentionAsync(q, q, q, { returnWeights: true, signal: controller.signal });
      if (i % 3 === 0) controller.abort();
      await promise.catch(() => {});
    };
    const used = () => ({ workers: process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker').length, external: process.memoryUsage().arrayBuffers });
    for (let i = 0; i < 10; i++) await call(i);
    const before = used();
    for (let i = 0; i < 100; i++) await call(i);
    for (let i = 0; i < 50 && used().external > before.external + 4e6; i++) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(used().workers, before.workers);
    assert.ok(used().external < before.external + 20e6, `${used().external - before.external} bytes more`);
    engine.dispose();
  });

  test('dispose ends it: waiting calls reject, later ones too', async () => {
    const engine = await freshEngine('simd');
    const waiting = [engine.attentionAsync(large(), large(), large()), engine.attentionAsync(two, two, values)];
    const settled = Promise.allSettled(waiting);
    await new Promise((resolve) => setTimeout(resolve, 100));
    engine.dispose();
    for (const outcome of await settled) {
      assert.equal(outcome.status, 'rejected');
      assert.match(String(outcome.reason), /^TypeError: attention: expected a live engine, got one that was disposed/);
    }
    await assert.rejects(engine.attentionAsync(two, two, values), { name: 'TypeError', message: /^attentionAsync: expected a live engine/ });
    assertStillRight(await freshEngine('simd'));
  });

  /** Runs a program of its own, which has to end by itself. @param {string} text @param {string[]} [flags] */
  const program = (text, flags = []) =>
    promisify(execFile)(process.execPath, [...flags, '--input-type=module', '-e', `import { loadEngine } from 'attn-widgets'; const two = [[1, 0], [0, 1]]; const engine = await loadEngine(); ${text}`], { cwd: new URL('../..', import.meta.url), timeout: 20000 });

  test('a process waits for a call, not for an idle worker', async () => {
    const { stdout } = await program('engine.attentionAsync(two, two, two).then(({ output }) => console.log(output.shape.join())); ');
    assert.equal(stdout, '2,2\n');
    const after = await program('await engine.attentionAsync(two, two, two); console.log("done");');
    assert.equal(after.stdout, 'done\n');
  });

  test('flags of the process do not reach the worker', async () => {
    const { stdout } = await program('console.log((await engine.attentionAsync(two, two, two)).output.shape.join());', ['--no-warnings', '--expose-gc']);
    assert.equal(stdout, '2,2\n');
  });

  test('where a package has made Node’s own workers global, they work', async () => {
    const { stdout, stderr } = await program('globalThis.Worker = (await import("node:worker_threads")).Worker; console.log((await engine.attentionAsync(two, two, two)).output.shape.join());');
    assert.deepEqual([stdout, stderr], ['2,2\n', '']);
  });

  test('without workers it computes on the main thread, says so once, and lets other work in between', async () => {
    const { stdout, stderr } = await program(`
      const { getBuiltinModule } = process;
      process.getBuiltinModule = (name) => (name === 'worker_threads' ? undefined : getBuiltinModule(name));
      const x = { data: Float32Array.from({ length: 2000 * 128 }, (_, i) => Math.sin(i)), shape: [2000, 128] };
      let ticks = 0;
      const timer = setInterval(() => ticks++, 1);
      const seen = [];
      const promise = engine.attentionAsync(x, x, x, { causal: true, onProgress: (done) => {
        seen.push(done);
        if (engine.attention(two, two, two).output.data.length !== 4) throw new Error('other calls are disturbed');
      } });
      const result = await promise;
      clearInterval(timer);
      const same = Buffer.from(result.output.data.buffer).equals(Buffer.from(engine.attention(x, x, x, { causal: true }).output.data.buffer));
      const another = await loadEngine({ variant: 'scalar' });
      await another.attentionAsync(two, two, two);
      const abort = new AbortController();
      const aborted = await engine.attentionAsync(x, x, x, { signal: abort.signal, onProgress: () => abort.abort() }).catch((why) => why.name);
      console.log(JSON.stringify({ same, ticks: ticks > 3, grows: seen.every((done, i) => i === 0 || done > seen[i - 1]), end: seen.at(-1), parts: seen.length > 3, aborted }));
    `);
    assert.deepEqual(JSON.parse(stdout), { same: true, ticks: true, grows: true, end: 1, parts: true, aborted: 'AbortError' });
    assert.equal(stderr, 'attn-widgets: no worker could be started (there are none), so attentionAsync computes on the main thread, in slices.\n');
  });

  test('a worker that dies takes its call with it, and the next call gets another', async () => {
    const { stdout } = await program(`
      const threads = process.getBuiltinModule('worker_threads');
      const workers = [];
      const Real = threads.Worker;
      const { getBuiltinModule } = process;
      process.getBuiltinModule = (name) => (name === 'worker_threads' ? { ...threads, Worker: class extends Real { constructor(...args) { super(...args); workers.push(this); } } } : getBuiltinModule(name));
      const x = { data: new Float32Array(3000 * 256), shape: [3000, 256] };
      const lost = await engine.attentionAsync(x, x, x, { onProgress: () => workers[0].terminate() }).catch(String);
      const { output } = await engine.attentionAsync(two, two, two);
      console.log(lost, output.shape.join(), workers.length);
    `);
    assert.match(stdout, /^RangeError: attention: expected at least \d+ bytes of free memory on this device, got less 2,2 2\n$/);
  });
});
