import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { browserTest } from './support/page.js';
import { root } from './support/server.js';

browserTest('D01: a second copy of the same version is silent and the first one wins', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  const same = await page.evaluate(async () => {
    const first = customElements.get('attn-two-key');
    await import(/** @type {any} */ ('/dist/attn-widgets.js'));
    return customElements.get('attn-two-key') === first;
  });
  assert.ok(same);
  assert.deepEqual(site.journal.texts('warning'), []);
});

browserTest('D01: a second copy of another version never throws and warns once', async (site) => {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const text = readFileSync(`${root}dist/attn-widgets.js`, 'utf8');
  assert.ok(text.includes(version), 'the self-contained build knows its version');
  const other = site.script(text.replaceAll(version, '99.0.0'));

  const page = await site.open('<attn-two-key></attn-two-key><attn-mask></attn-mask>');
  await page.evaluate((address) => import(address), other);
  const warnings = site.journal.texts('warning');
  assert.equal(warnings.length, 1, warnings.join('\n'));
  assert.match(warnings[0], /99\.0\.0/);
  assert.ok(warnings[0].includes(version));
});

browserTest('D01: the class is exported, so a page can register it under another name', async (site) => {
  const page = await site.open('<my-figure q="0,1"></my-figure><attn-two-key></attn-two-key>', { wait: false });
  await page.evaluate(async () => {
    const { AttnTwoKey } = await import(/** @type {any} */ ('/dist/elements.js'));
    customElements.define('my-figure', class extends AttnTwoKey {});
    await /** @type {any} */ (document.querySelector('my-figure')).ready;
  });
  assert.deepEqual(await page.$eval('my-figure', (element) => /** @type {any} */ (element).state.q), [0, 1]);
  assert.ok(await page.locator('my-figure').getByText('0.707').count());
});
