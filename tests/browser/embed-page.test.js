import assert from 'node:assert/strict';
import { allReady, drawn, stateOf, TAGS } from './support/element.js';
import { assertNear } from './support/near.js';
import { browserTest } from './support/page.js';

const FRAME_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; frame-src 'self'; img-src data:";
const PARAMETERS = { 'attn-two-key': 'widget=two-key&q=0,1', 'attn-mask': 'widget=mask&n=4&mask=window' };

/**
 * A page with the embed page in a sandboxed frame, which gives the frame the height it asks for, plus `offset`.
 * @param {import('./support/page.js').Site} site @param {string} query @param {number} [offset]
 */
async function openFrame(site, query, offset = 0) {
  site.server.mount('/note/', 'build/note');
  const resizer = site.script(`
    window.heights = [];
    addEventListener('message', (event) => {
      const frame = document.querySelector('iframe');
      if (event.source !== frame.contentWindow || event.data?.type !== 'attn-widgets:height') return;
      window.heights.push(event.data.height);
      frame.height = event.data.height + ${offset};
    });`);
  const page = await site.open(`<iframe title="figure" sandbox="allow-scripts" src="/note/embed.html?${query}" width="600" height="150"></iframe>`, {
    script: null, policy: FRAME_POLICY, head: `<script src="${resizer}"></script>`,
  });
  await page.waitForFunction(() => /** @type {any} */ (window).heights.length > 0);
  const frame = /** @type {import('playwright-core').Frame} */ (page.frames().find((one) => one !== page.mainFrame()));
  await frame.waitForFunction((tags) => [...document.querySelectorAll(tags)].some((element) => /** @type {any} */ (element).result), TAGS.join(','));
  return { page, frame };
}

/** @param {import('playwright-core').Page} page @returns {Promise<number[]>} */
async function quietHeights(page) {
  let before = -1;
  for (let look = 0; look < 20; look += 1) {
    const heights = await page.evaluate(() => /** @type {any} */ (window).heights);
    if (heights.length === before) return heights;
    before = heights.length;
    await page.waitForTimeout(300);
  }
  throw new Error(`the frame never stops asking for heights: ${await page.evaluate(() => String(/** @type {any} */ (window).heights))}`);
}

for (const [tag, query] of Object.entries(PARAMETERS)) {
  browserTest(`C07: the embed page shows <${tag}> in a frame with sandbox="allow-scripts"`, async (site) => {
    const { page, frame } = await openFrame(site, query);
    const result = await frame.$eval(tag, (element) => /** @type {any} */ (element).result);
    if (tag === 'attn-two-key') assertNear(result.output, [0.660_477, 2.679_046], 1e-5);
    else assert.equal(result.weights.length, 4);
    const heights = await quietHeights(page);
    assert.equal(await frame.evaluate(() => document.documentElement.scrollHeight > innerHeight), false, 'nothing is cut off');
    assert.equal(heights.at(-1), await frame.evaluate(() => innerHeight));
  });

  for (const offset of [0, 7]) {
    browserTest(`C14: <${tag}> in a frame posts its height once per change and ends there (frame ${offset} px taller)`, async (site) => {
      const { page } = await openFrame(site, query, offset);
      const first = await quietHeights(page);
      assert.equal(first.length, 1, `posted ${first}`);
      // What a page does that answers every message by setting the height, even when it is the same.
      for (let echo = 0; echo < 50; echo += 1) {
        await page.$eval('iframe', (element, at) => { element.height = String(Number(element.height) + (at % 2 ? -1 : 1)); }, echo);
        if (echo % 10 === 0) await drawn(page);
      }
      assert.deepEqual(await quietHeights(page), first);

      await page.$eval('iframe', (element) => { element.width = '340'; });
      await page.waitForFunction((count) => /** @type {any} */ (window).heights.length > count, first.length);
      const second = await quietHeights(page);
      assert.ok(second.length - first.length <= 2, String(second));
    });
  }
}

browserTest('C07: the embed page takes language and theme from its address', async (site) => {
  site.server.mount('/note/', 'build/note');
  const page = await site.visit('/note/embed.html?widget=two-key&lang=zh-CN&theme=dark');
  await allReady(page);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN');
  assert.match(String(await page.locator('attn-two-key').getByRole('button').first().textContent()), /\p{Script=Han}/u);
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark');
});

browserTest('C07: the embed page leaves foreign parameters alone and says when it knows no such widget', async (site) => {
  site.server.mount('/note/', 'build/note');
  const page = await site.visit('/note/embed.html?widget=two-key&q=0.5,0&utm_source=x&onclick=alert(1)');
  await allReady(page);
  assert.deepEqual((await stateOf(page, 'attn-two-key')).q, [0.5, 0]);
  assert.equal(await page.$eval('attn-two-key', (element) => element.hasAttribute('onclick')), false);
  for (const query of ['', '?widget=nothing', '?widget=%3Cimg%20src=x%3E']) {
    const other = await site.visit(`/note/embed.html${query}`);
    await other.locator('#unknown').waitFor();
    assert.equal(await other.locator(TAGS.join(',')).count(), 0);
  }
});
