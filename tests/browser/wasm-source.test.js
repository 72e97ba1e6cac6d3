import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { browserTest } from './support/page.js';
import { root } from './support/server.js';

/**
 * Loads the engine from an address in the page and says what came of it.
 * @param {import('playwright-core').Page} page @param {string} address
 */
const loadFrom = (page, address) => page.evaluate(async (wasm) => {
  const { loadEngine } = await import(/** @type {any} */ ('/dist/index.js'));
  try {
    const engine = await loadEngine({ wasm, variant: 'simd' });
    return engine.attention([[1, 0]], [[1, 0], [0, 1]], [[2, 0], [0, 4]]).output.toNested()[0].map((/** @type {number} */ value) => value.toFixed(3)).join(' ');
  } catch (error) {
    return `${/** @type {Error} */ (error).name}: ${/** @type {Error} */ (error).message}`;
  }
}, address);

for (const type of ['application/wasm', 'application/octet-stream', 'text/plain']) {
  browserTest(`B11: wasm that is served as ${type} loads with one request`, async (site) => {
    const address = site.server.add({ body: readFileSync(`${root}dist/wasm/simd.wasm`), type, policy: null }, 'attn.wasm');
    const page = await site.open('', { script: null });
    assert.equal(await loadFrom(page, address), '1.340 1.321');
    assert.equal(site.journal.requestsFor(/attn\.wasm/).length, 1);
  });
}

browserTest('C01: an HTML page in place of the wasm is named with its address', async (site) => {
  const address = site.server.add({ body: '<!doctype html><p>Not here.</p>', type: 'text/html' }, 'attn.wasm');
  const page = await site.open('', { script: null });
  const message = await loadFrom(page, address);
  assert.match(message, /HTML/i);
  assert.ok(message.includes(address), message);
});

browserTest('B07: a missing wasm rejects with a sentence that names the address, and can be tried again', async (site) => {
  const page = await site.open('', { script: null });
  const message = await loadFrom(page, '/page/none/attn.wasm');
  assert.match(message, /404/);
  assert.match(message, /\/page\/none\/attn\.wasm/);
  assert.notEqual(await loadFrom(page, '/page/none/attn.wasm'), '1.340 1.321');
  assert.equal(site.journal.requestsFor(/attn\.wasm/).length, 2);
}, { expectedErrors: [/404/] });

browserTest('B07: bytes, a Response and a compiled module are taken too', async (site) => {
  const page = await site.open('', { script: null });
  const outputs = await page.evaluate(async () => {
    const { loadEngine } = await import(/** @type {any} */ ('/dist/index.js'));
    const bytes = await (await fetch('/dist/wasm/simd.wasm')).arrayBuffer();
    const sources = [bytes, new Uint8Array(bytes), await fetch('/dist/wasm/simd.wasm'), await WebAssembly.compile(bytes)];
    return Promise.all(sources.map(async (wasm) => {
      const engine = await loadEngine({ wasm, variant: 'simd' });
      return [...engine.attention([[1, 0]], [[1, 0], [0, 1]], [[2, 0], [0, 4]]).output.data];
    }));
  });
  for (const output of outputs) assert.deepEqual(output, outputs[0]);
});
