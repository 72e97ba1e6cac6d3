// attentionAsync in a page: in a worker wherever the engine came from, on the main thread where a policy forbids one.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { browserTest, documentOf } from './support/page.js';
import { STRICT_POLICY, Server, root } from './support/server.js';

/** @typedef {import('playwright-core').Page} Page */

const WITH_WORKERS = `${STRICT_POLICY}; worker-src blob:`;
const CLASSIC = '<script src="/dist/attn-widgets.classic.js"></script>';

/**
 * A call of a second or so, with all that a page can see of it.
 * @param {Page} page @param {string | null} address of the engine; null: the classic script's global
 * @param {number} [threads]
 */
const call = (page, address, threads = 1) => page.evaluate(async ([from, count]) => {
  const { loadEngine } = from === null ? /** @type {any} */ (window).AttnWidgets : await import(/** @type {any} */ (from));
  const engine = await loadEngine({ threads: count });
  const tensor = (/** @type {number} */ seed) => ({ data: Float32Array.from({ length: 4000 * 64 }, (_, i) => Math.sin(seed * i)), shape: [4000, 64] });
  const [q, k, v] = [tensor(1), tensor(2), tensor(3)];
  /** How often something else had its turn. */
  let turns = 0;
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    turns++;
    channel.port2.postMessage(0);
  };
  channel.port2.postMessage(0);
  /** @type {{ done: number, turns: number }[]} */
  const steps = [{ done: 0, turns }];
  const onProgress = (/** @type {number} */ done) => steps.push({ done, turns });
  const result = await engine.attentionAsync(q, k, v, { causal: true, returnLogSumExp: true, onProgress });
  channel.port1.close();
  const wanted = engine.attention(q, k, v, { causal: true, returnLogSumExp: true });
  const same = ['output', 'logSumExp'].every((name) => result[name].data.every((/** @type {number} */ value, /** @type {number} */ i) => Object.is(value, wanted[name].data[i])));
  const abort = new AbortController();
  const aborted = await engine.attentionAsync(q, k, v, { signal: abort.signal, onProgress: () => abort.abort() }).catch((/** @type {Error} */ why) => why.name);
  const between = steps.slice(1).map((step, i) => ({ done: step.done - steps[i].done, turns: step.turns - steps[i].turns }));
  return { same, aborted, between, end: steps[steps.length - 1].done, untouched: q.data.length };
}, /** @type {const} */ ([address, threads]));

/**
 * Several threads that all are there, and how the page has sent inputs to them.
 * @param {Page} page @param {string | null} address
 */
const splitCall = (page, address) => page.evaluate(async (from) => {
  const { loadEngine } = from === null ? /** @type {any} */ (window).AttnWidgets : await import(/** @type {any} */ (from));
  const engine = await loadEngine({ threads: 2 });
  const tensor = (/** @type {number} */ seed) => ({ data: Float32Array.from({ length: 8 * 600 * 64 }, (_, i) => Math.sin(seed * i)), shape: [8, 600, 64] });
  const [q, k, v] = [tensor(1), tensor(2), tensor(3)];
  for (let i = 0; i < 100 && (await engine.attentionAsync(q, k, v)).report.threads < 2; i++); // the second one starts meanwhile
  const { postMessage } = Worker.prototype;
  const sent = { shared: 0, copied: 0 };
  Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ ...rest) {
    for (const { bytes } of message.inputs ?? []) sent[bytes.buffer instanceof ArrayBuffer ? 'copied' : 'shared'] += bytes.byteLength;
    return postMessage.call(this, message, ...rest);
  };
  const result = await engine.attentionAsync(q, k, v, { returnLogSumExp: true });
  Worker.prototype.postMessage = postMessage;
  const wanted = engine.attention(q, k, v, { returnLogSumExp: true });
  const same = ['output', 'logSumExp'].every((name) => result[name].data.every((/** @type {number} */ value, /** @type {number} */ i) => Object.is(value, wanted[name].data[i])));
  const own = result.output.data.buffer instanceof ArrayBuffer;
  return { same, own, isolated: crossOriginIsolated, threads: [result.report.threads, engine.info.threads], sent, all: 3 * q.data.byteLength };
}, address);

/** @param {Awaited<ReturnType<typeof splitCall>>} outcome @param {boolean} isolated */
function assertSplit({ sent: { shared, copied }, all, ...rest }, isolated) {
  assert.deepEqual(rest, { same: true, own: true, isolated, threads: [2, 2] });
  const [some, none] = isolated ? [shared, copied] : [copied, shared];
  assert.ok(none === 0 && some >= all && some < 1.5 * all, `${shared} bytes shared and ${copied} copied, of ${all}`);
}

/**
 * The right bits, in several steps, and the page had its turn between any two of one thread.
 * @param {Awaited<ReturnType<typeof call>>} outcome @param {number} [threads] whose answers may come at the same time
 */
function assertRight({ same, aborted, between, end, untouched }, threads = 1) {
  assert.deepEqual({ same, aborted, end, untouched }, { same: true, aborted: 'AbortError', end: 1, untouched: 4000 * 64 });
  const had = between.slice(threads - 1).map((_, i) => between.slice(i, i + threads).reduce((sum, { turns }) => sum + turns, 0));
  assert.ok(had.length > 2 && had.every((turns) => turns > 0) && between.every(({ done }) => done > 0), JSON.stringify(between));
}

/** @param {Page} page */
const workersOf = (page) => page.workers().map((worker) => worker.url().slice(0, 5));

for (const address of ['/dist/index.js', '/dist/attn-widgets.js']) {
  browserTest(`B09: ${address} computes in one worker, and the page stays free`, async (site) => {
    const page = await site.open('', { script: null, policy: WITH_WORKERS });
    assertRight(await call(page, address));
    assert.deepEqual(workersOf(page), ['blob:']);
    assert.deepEqual(site.journal.texts('warning'), []);
  });
}

browserTest('B09: the classic script computes in a worker', async (site) => {
  const page = await site.open('', { script: null, head: CLASSIC, policy: WITH_WORKERS });
  assertRight(await call(page, null));
  assert.deepEqual(workersOf(page), ['blob:']);
});

browserTest('B09: so does an engine from a blob: address', async (site) => {
  const page = await site.open('', { script: null, policy: WITH_WORKERS.replace("script-src 'self'", "script-src 'self' blob:") });
  const address = await page.evaluate(async () => URL.createObjectURL(await (await fetch('/dist/attn-widgets.js')).blob()));
  assertRight(await call(page, address));
  assert.deepEqual(workersOf(page), ['blob:']);
});

browserTest('B09: an engine from another origin starts its worker all the same', async (site) => {
  const elsewhere = await new Server().start();
  try {
    const address = `${elsewhere.origin}/dist/attn-widgets.classic.js`;
    const policy = WITH_WORKERS.replace("script-src 'self'", `script-src 'self' ${elsewhere.origin}`);
    const page = await site.open('', { script: null, head: `<script src="${address}"></script>`, policy });
    assertRight(await call(page, null));
    assert.deepEqual(workersOf(page), ['blob:']);
    assertSplit(await splitCall(page, null), false);
    assert.deepEqual(workersOf(page), ['blob:', 'blob:', 'blob:']);
    site.journal.requests = site.journal.requests.filter((url) => url !== address);
  } finally {
    await elsewhere.stop();
  }
});

for (const isolated of [false, true]) {
  const what = isolated ? 'an isolated page shares the inputs with them' : 'a page that is not isolated sends them copies';
  browserTest(`B08: several workers give equal results; ${what}`, async (site) => {
    const page = await site.open('', { script: null, policy: WITH_WORKERS, isolated });
    assertSplit(await splitCall(page, '/dist/attn-widgets.js'), isolated);
    assertRight(await call(page, '/dist/attn-widgets.js', 2), 2);
    assert.deepEqual(workersOf(page), ['blob:', 'blob:']);
    assert.deepEqual(site.journal.texts('warning'), []);
    const gone = page.workers().map((worker) => worker.waitForEvent('close'));
    await page.evaluate(async () => {
      const { loadEngine } = await import(/** @type {any} */ ('/dist/attn-widgets.js'));
      (await loadEngine({ threads: 2 })).dispose();
    });
    await Promise.all(gone);
  });
}

browserTest('B13: a page opened from disk has its worker too', async (site) => {
  const folder = mkdtempSync(join(tmpdir(), 'attn-'));
  try {
    copyFileSync(`${root}dist/attn-widgets.classic.js`, join(folder, 'attn-widgets.classic.js'));
    writeFileSync(join(folder, 'page.html'), documentOf('', { script: null, head: '<script src="attn-widgets.classic.js"></script>' }));
    const page = await site.newPage();
    await page.goto(pathToFileURL(join(folder, 'page.html')).href);
    assertRight(await call(page, null));
    assert.deepEqual(workersOf(page), ['blob:']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

browserTest('B09: under a policy that forbids workers it computes in slices on the main thread, and says so once', async (site) => {
  const page = await site.open('', { script: null });
  assertRight(await call(page, '/dist/index.js'));
  await page.evaluate(async () => {
    const { loadEngine } = await import(/** @type {any} */ ('/dist/index.js'));
    const other = await loadEngine({ variant: 'scalar' });
    await other.attentionAsync([[1]], [[1]], [[1]]);
  });
  assertRight(await call(page, '/dist/index.js', 2));
  assert.equal(await page.evaluate(async () => {
    const { loadEngine } = await import(/** @type {any} */ ('/dist/index.js'));
    return (await loadEngine({ threads: 2 })).info.threads;
  }), 1);
  assert.deepEqual(workersOf(page), []);
  const told = site.journal.texts('warning');
  assert.equal(told.length, 1, told.join('\n'));
  assert.match(told[0], /^attn-widgets: no worker could be started \(.+\), so attentionAsync computes on the main thread, in slices\.$/);
}, { expectedErrors: [/worker-src|blob:/] });

browserTest('dispose ends the worker', async (site) => {
  const page = await site.open('', { script: null, policy: WITH_WORKERS });
  await call(page, '/dist/index.js');
  const gone = page.workers()[0].waitForEvent('close');
  await page.evaluate(async () => {
    const { loadEngine } = await import(/** @type {any} */ ('/dist/index.js'));
    (await loadEngine()).dispose();
  });
  await gone;
  assert.deepEqual(workersOf(page), []);
});
