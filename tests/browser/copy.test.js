import assert from 'node:assert/strict';
import { drawn, eventsOf, recordEvents } from './support/element.js';
import { browserTest } from './support/page.js';

const context = { permissions: ['clipboard-read', 'clipboard-write'] };
const EXAMPLES = [
  '<attn-two-key q="0.3,-1.25" keys="1,0; 0,1; 1,1" values="2,0; 0,4; 1,1"></attn-two-key>',
  '<attn-mask n="4" mask="own" allow="1000; 1100; 0000; 1111" empty-rows="uniform" tokens="a&quot;,&lt;b,c,&amp;"></attn-mask>',
];

/** @param {import('playwright-core').Page} page */
const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());
/** @param {import('playwright-core').Page} page @param {string} tag */
const snapshot = (page, tag) => page.$eval(tag, (element) => {
  const { state, result } = /** @type {any} */ (element);
  return { state, result };
});

for (const markup of EXAMPLES) {
  const tag = /** @type {RegExpExecArray} */ (/^<([\w-]+)/.exec(markup))[1];

  browserTest(`the link that <${tag}> copies opens the same picture`, async (site) => {
    const page = await site.open(markup);
    await recordEvents(page, 'attn-change');
    await page.$eval(tag, (element, state) => { /** @type {any} */ (element).state = state; }, tag === 'attn-two-key' ? { q: [-2, 1.5] } : { row: 2 });
    await drawn(page);
    await page.locator(tag).getByRole('button', { name: 'Copy link' }).click();
    await page.locator(tag).getByText('Link copied').waitFor();
    const link = await clipboard(page);
    assert.equal(link, await page.$eval(tag, (element) => /** @type {any} */ (element).shareUrl()));
    assert.deepEqual(await eventsOf(page, 'attn-change'), []);

    const expected = await snapshot(page, tag);
    await page.goto(link);
    await page.waitForFunction((name) => /** @type {any} */ (document.querySelector(name)).result, tag);
    assert.deepEqual(await snapshot(page, tag), expected);
  }, { context });

  browserTest(`the embed code that <${tag}> copies shows the same picture in another page`, async (site) => {
    const page = await site.open(markup, { script: '/dist/attn-widgets.js' });
    await page.locator(tag).getByRole('button', { name: 'Copy embed code' }).click();
    await page.locator(tag).getByText('Embed code copied').waitFor();
    const code = await clipboard(page);
    assert.match(code, new RegExp(`</${tag}>\\s*$`), 'the tag is closed');
    const other = await site.open(code, { script: null });
    await other.waitForFunction((name) => /** @type {any} */ (document.querySelector(name)).result, tag);
    assert.deepEqual(await snapshot(other, tag), await snapshot(page, tag));
  }, { context });
}

browserTest('the embed code names the script of the page, however the page writes its address', async (site) => {
  const page = await site.open('<script type="module" src="/dist/attn-widgets.js?v=1"></script><attn-two-key></attn-two-key>', { script: null });
  const code = await page.$eval('attn-two-key', async (element) => {
    await customElements.whenDefined('attn-two-key');
    await /** @type {any} */ (element).ready;
    return /** @type {any} */ (element).embedCode();
  });
  assert.ok(code.includes(`src="${new URL('/dist/attn-widgets.js?v=1', page.url())}"`), code);
});

browserTest('where the browser refuses to copy, the text is there to be taken by hand', async (site) => {
  const page = await site.open(EXAMPLES[0], { before: (fresh) => fresh.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('refused')) } });
  }) });
  await page.locator('attn-two-key').getByRole('button', { name: 'Copy link' }).click();
  const field = page.locator('attn-two-key').getByRole('textbox', { name: /refused to copy/ });
  assert.equal(await field.inputValue(), await page.$eval('attn-two-key', (element) => /** @type {any} */ (element).shareUrl()));
});
