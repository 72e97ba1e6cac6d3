import assert from 'node:assert/strict';
import { recordEvents, visibleText } from './support/element.js';
import { browserTest } from './support/page.js';

/** @param {import('playwright-core').Page} page */
const takeAway = (page) => page.addInitScript(() => { Reflect.deleteProperty(window, 'WebAssembly'); });

for (const tag of ['attn-two-key', 'attn-mask']) {
  browserTest(`B10 E11: <${tag}> without WebAssembly says so, shows its fallback text and does not try again by itself`, async (site) => {
    const page = await site.open(`<${tag}>The numbers are in table 3.</${tag}>`, {
      wait: false,
      before: async (fresh) => {
        await takeAway(fresh);
        await fresh.addInitScript(() => {
          Object.assign(window, { failures: [] });
          document.addEventListener('attn-error', (event) => /** @type {any} */ (window).failures.push(/** @type {CustomEvent} */ (event).detail.message));
        });
      },
    });
    const alert = page.locator(tag).locator('.problem');
    await alert.waitFor();
    assert.match(String(await alert.textContent()), /WebAssembly/);
    assert.ok(await page.getByText('The numbers are in table 3.').isVisible());
    const requests = site.journal.requests.length;
    await page.waitForTimeout(1500);
    assert.equal(site.journal.requests.length, requests);
    const failures = await page.evaluate(() => /** @type {any} */ (window).failures);
    assert.equal(failures.length, 1);
    assert.match(failures[0], /WebAssembly/);
    assert.doesNotMatch(failures[0], /connection|network/i);
  });
}

browserTest('B10: without WebAssembly loadEngine rejects with a sentence', async (site) => {
  const page = await site.open('', { wait: false, before: takeAway });
  const message = await page.evaluate(async () => {
    const { loadEngine } = await import(/** @type {any} */ ('/dist/index.js'));
    return loadEngine().then(() => 'loaded', (/** @type {any} */ error) => (error instanceof Error ? error.message : `not an Error: ${error}`));
  });
  assert.match(message, /WebAssembly/);
  assert.match(message, / /);
});

browserTest('B10: a policy that forbids WebAssembly is said in words too', async (site) => {
  const page = await site.open('<attn-two-key>Fallback.</attn-two-key>', { wait: false, policy: "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:" });
  await recordEvents(page, 'attn-error');
  await page.locator('attn-two-key').locator('.problem').waitFor();
  assert.ok(await page.getByText('Fallback.').isVisible());
  assert.match(await visibleText(page, 'attn-two-key'), /WebAssembly/);
}, { expectedErrors: [/content policy: script-src/, /Content Security Policy/] });
