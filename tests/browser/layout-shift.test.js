import assert from 'node:assert/strict';
import { allReady, drawn, TAGS } from './support/element.js';
import { browserTest } from './support/page.js';

/** Adds up what moves by itself. @param {import('playwright-core').Page} page */
const recordShifts = (page) => page.addInitScript(() => {
  Object.assign(window, { shift: 0 });
  new PerformanceObserver((list) => {
    for (const entry of /** @type {any[]} */ (list.getEntries())) /** @type {any} */ (window).shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
});

/** @param {import('playwright-core').Page} page @param {RegExp} scripts @param {number} ms */
const delay = (page, scripts, ms) => page.route(scripts, async (route) => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await route.continue();
});

for (const width of [360, 1000]) {
  browserTest(`D05: a script that arrives late moves nothing on a page of ${width} px that reserves the height`, async (site) => {
    const page = await site.open(`
      <p>Before.</p><attn-two-key><p id="fallback">Numbers without scripts.</p></attn-two-key><p>Between.</p><attn-mask></attn-mask><p>After.</p>`, {
      head: '<link rel="stylesheet" href="/dist/attn-widgets.css">',
      wait: false,
      before: async (fresh) => {
        await recordShifts(fresh);
        await delay(fresh, /\/dist\/elements\.js$/, 3000);
      },
    });
    await allReady(page);
    await page.waitForTimeout(300);
    const shift = await page.evaluate(() => /** @type {any} */ (window).shift);
    assert.ok(shift < 0.02, `layout shift ${shift}`);
  }, { context: { viewport: { width, height: 800 } } });
}

browserTest('D05: the style sheet reserves the height that the figure will have', async (site) => {
  const figures = TAGS.map((tag) => `<${tag}></${tag}>`).join('');
  const head = '<link rel="stylesheet" href="/dist/attn-widgets.css">';
  const waiting = await site.open(figures, { head, script: null });
  const drawnOnes = await site.open(figures, { head });
  // Heights differ by the lines that controls wrap into, which the fonts of the machine decide.
  const tolerance = 24;
  for (const width of [320, 360, 420, 560, 720, 800, 1000, 1400]) {
    const [reserved, real] = await Promise.all([waiting, drawnOnes].map(async (page) => {
      await page.setViewportSize({ width, height: 800 });
      await drawn(page);
      return page.$$eval(TAGS.join(','), (elements) => elements.map((element) => element.getBoundingClientRect().height));
    }));
    real.forEach((height, at) => assert.ok(Math.abs(height - reserved[at]) <= tolerance, `<${TAGS[at]}> at ${width} px: ${reserved[at]} reserved, ${height} needed`));
  }
});

browserTest('D05: fallback text is readable without scripts', async (site) => {
  const page = await site.open('<attn-two-key><p id="fallback">Numbers without scripts.</p></attn-two-key>', {
    head: '<link rel="stylesheet" href="/dist/attn-widgets.css">', wait: false,
  });
  assert.ok(await page.locator('#fallback').isVisible());
}, { context: { javaScriptEnabled: false } });

for (const width of [360, 1280]) {
  browserTest(`D05: the note moves nothing when its script arrives late, ${width} px`, async (site) => {
    site.server.mount('/note/', 'build/note');
    const page = await site.visit('/note/index.html', async (fresh) => {
      await recordShifts(fresh);
      await delay(fresh, /\/note\/assets\/.*\.js$/, 1500);
    });
    await allReady(page);
    await page.waitForTimeout(300);
    const shift = await page.evaluate(() => /** @type {any} */ (window).shift);
    assert.ok(shift < 0.02, `layout shift ${shift}`);
  }, { context: { viewport: { width, height: 800 } } });

  for (const anchor of ['masks', 'masks-padding', 'masks-order', 'masks-empty']) {
    browserTest(`D05: the note opened at #${anchor} stays there when its script arrives late, ${width} px`, async (site) => {
      site.server.mount('/note/', 'build/note');
      const page = await site.visit(`/note/index.html#${anchor}`, async (fresh) => {
        await recordShifts(fresh);
        await delay(fresh, /\/note\/assets\/.*\.js$/, 1500);
      });
      await allReady(page);
      await page.waitForTimeout(300);
      const { shift, top } = await page.evaluate((id) => ({ shift: /** @type {any} */ (window).shift, top: document.getElementById(id)?.getBoundingClientRect().top ?? NaN }), anchor);
      assert.ok(shift < 0.02, `layout shift ${shift}`);
      assert.ok(Math.abs(top) < 120, `the target stands at ${top} px`);
    }, { context: { viewport: { width, height: 800 } } });
  }

  browserTest(`D05: a figure of the note is as tall before its script, while the engine loads and with its numbers, ${width} px`, async (site) => {
    site.server.mount('/note/', 'build/note');
    const heights = async (/** @type {(page: import('playwright-core').Page) => Promise<unknown>} */ before, loads = true) => {
      const page = await site.visit('/note/index.html', before);
      if (loads) await page.waitForFunction((tags) => tags.every((tag) => customElements.get(tag)), TAGS);
      await page.waitForTimeout(300);
      return page.$$eval(TAGS.join(','), (elements) => elements.map((element) => element.getBoundingClientRect().height));
    };
    const without = await heights((page) => page.route(/\/note\/assets\/.*\.js$/, (route) => route.fulfill({ body: '', contentType: 'text/javascript' })), false);
    const loading = await heights((page) => page.addInitScript(() => { WebAssembly.compile = () => new Promise(() => {}); }));
    const complete = await heights(async () => {});
    // As above: the fonts of the machine decide how lines wrap.
    complete.forEach((height, at) => {
      assert.ok(Math.abs(height - without[at]) <= 30, `figure ${at + 1}: ${without[at]} px without its script, ${height} with its numbers`);
      assert.ok(Math.abs(height - loading[at]) <= 30, `figure ${at + 1}: ${loading[at]} px while the engine loads, ${height} with its numbers`);
    });
  }, { context: { viewport: { width, height: 800 } } });
}

browserTest('D05: an element is exactly as tall while the engine loads as with its numbers', async (site) => {
  const figures = TAGS.map((tag) => `<${tag}></${tag}>`).join('');
  const loading = await site.open(figures, { wait: false, before: (page) => page.addInitScript(() => { WebAssembly.compile = () => new Promise(() => {}); }) });
  await loading.waitForFunction((tags) => tags.every((tag) => customElements.get(tag)), TAGS);
  const complete = await site.open(figures);
  for (const width of [320, 360, 420, 560, 720, 800, 1000, 1400]) {
    const [before, after] = await Promise.all([loading, complete].map(async (page) => {
      await page.setViewportSize({ width, height: 800 });
      await drawn(page);
      return page.$$eval(TAGS.join(','), (elements) => elements.map((element) => element.getBoundingClientRect().height));
    }));
    assert.deepEqual(before, after, `${width} px`);
  }
});
