import assert from 'node:assert/strict';
import { allReady, drawn } from './support/element.js';
import { censusOf, installCensus } from './support/census.js';
import { browserTest } from './support/page.js';

const THIRTY = '<attn-two-key></attn-two-key><attn-mask></attn-mask>'.repeat(15);

browserTest('B19: thirty elements share one download, one compiled module and one memory', async (site) => {
  const page = await site.open(THIRTY, { before: installCensus });
  const { compiled, instances } = await censusOf(page);
  assert.deepEqual({ compiled, instances }, { compiled: 1, instances: 1 });
  const addresses = site.journal.requests.filter((url) => !url.startsWith('data:'));
  assert.deepEqual(addresses.length, new Set(addresses).size, 'nothing is fetched twice');
  assert.equal(site.journal.requestsFor(/\/wasm\/|\.wasm/).length, 1);
});

browserTest('B19: adding and removing thirty elements again and again grows no memory', async (site) => {
  const page = await site.open(THIRTY, { before: installCensus });
  const memory = () => page.evaluate(async () => {
    const { loadEngine } = await import(/** @type {any} */ ('/dist/index.js'));
    return (await loadEngine()).info.memoryBytes;
  });
  const before = await memory();
  for (let round = 0; round < 5; round += 1) {
    await page.evaluate((markup) => {
      const main = /** @type {HTMLElement} */ (document.querySelector('main'));
      main.replaceChildren();
      main.innerHTML = markup;
    }, THIRTY);
    await allReady(page);
    await drawn(page);
  }
  assert.equal(await memory(), before);
  const { compiled, instances } = await censusOf(page);
  assert.deepEqual({ compiled, instances }, { compiled: 1, instances: 1 });
});

browserTest('B19: a page that imports the engine too gets the one of the elements', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>', { before: installCensus });
  await page.evaluate(async () => {
    const { loadEngine } = await import(/** @type {any} */ ('/dist/index.js'));
    await Promise.all(Array.from({ length: 10 }, () => loadEngine()));
  });
  assert.equal((await censusOf(page)).instances, 1);
});

browserTest('E03: with the network off after the first picture everything works', async (site) => {
  const page = await site.open(THIRTY);
  await site.context.setOffline(true);
  const before = site.journal.requests.length;
  await page.evaluate(() => {
    const twoKey = /** @type {any} */ (document.querySelector('attn-two-key'));
    twoKey.q = [0, 1];
    document.querySelector('main')?.append(document.createElement('attn-mask'));
  });
  await allReady(page);
  assert.ok(Math.abs((await page.$eval('attn-two-key', (element) => /** @type {any} */ (element).result.output[0])) - 0.660_477) < 1e-5);
  assert.equal(site.journal.requests.length, before);
}, { alone: true });
