import assert from 'node:assert/strict';
import { drawn, TAGS } from './support/element.js';
import { browserTest } from './support/page.js';

const WIDTHS = [320, 360, 480, 640, 720, 768, 900, 1024, 1280, 1400];
const FIGURES = `
  <attn-two-key></attn-two-key>
  <attn-two-key keys="1,0; -0.5,1; -0.5,-1" values="2,0; 0,4; -2,-1" temperature="0.5"></attn-two-key>
  <attn-mask></attn-mask>
  <attn-mask n="12" mask="window" scores="random" compare></attn-mask>
  <attn-mask queries="2" keys="5" tokens="the,unbelievably,long,word,end" compare></attn-mask>`;

/** @param {import('playwright-core').Page} page */
const heights = (page) => page.$$eval(TAGS.join(','), (elements) => elements.map((element) => Math.round(element.getBoundingClientRect().height)));

browserTest('nothing sticks out sideways from 320 to 1400 px', async (site) => {
  const page = await site.open(FIGURES);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await drawn(page);
    const out = await page.evaluate((tags) => {
      const found = [];
      if (document.documentElement.scrollWidth > innerWidth) found.push(`page: ${document.documentElement.scrollWidth} px`);
      for (const host of document.querySelectorAll(tags)) {
        const box = host.getBoundingClientRect();
        for (const part of /** @type {ShadowRoot} */ (host.shadowRoot).querySelectorAll('*')) {
          if (part.closest('.unseen, defs, clipPath, [hidden], details:not([open]) > :not(summary)')) continue;
          const { left, right, width: wide } = part.getBoundingClientRect();
          if (wide > 0 && (left < box.left - 1 || right > box.right + 1)) {
            found.push(`<${host.localName}> ${part.localName}.${part.getAttribute('class') ?? ''} "${part.textContent?.trim().slice(0, 20)}": ${Math.round(left - box.left)}..${Math.round(right - box.left)}`);
          }
        }
      }
      return found;
    }, TAGS.join(','));
    assert.deepEqual(out, [], `at ${width} px`);
  }
});

browserTest('C14: the height depends on the width only, not on the height of the window', async (site) => {
  const page = await site.open(FIGURES, { head: '' });
  for (const width of [360, 1000]) {
    await page.setViewportSize({ width, height: 800 });
    await drawn(page);
    const expected = await heights(page);
    for (const height of [200, 400, 1600]) {
      await page.setViewportSize({ width, height });
      await drawn(page);
      assert.deepEqual(await heights(page), expected, `${width} × ${height}`);
    }
  }
});

browserTest('C14: the height does not change when the reader moves a value or points at a part', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key><attn-mask n="4"></attn-mask>');
  for (const width of [320, 360, 1000]) {
    await page.setViewportSize({ width, height: 900 });
    await drawn(page);
    const expected = await heights(page);
    for (const q of [[0, 0], [0, 1], [-3, 3], [2.999, -2.999]]) {
      await page.$eval('attn-two-key', (element, query) => { /** @type {any} */ (element).q = query; }, q);
      await drawn(page);
      assert.deepEqual(await heights(page), expected, `q = ${q} at ${width} px`);
    }
    for (const row of [1, 2, 3, 4]) {
      await page.$eval('attn-mask', (element, at) => { /** @type {any} */ (element).row = at; }, row);
      await drawn(page);
      assert.deepEqual(await heights(page), expected, `row ${row} at ${width} px`);
    }
    for (const tag of TAGS) {
      const parts = await page.$eval(tag, (element) => [...new Set([.../** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('[data-part][tabindex]')].map((part) => part.getAttribute('data-part')))]);
      assert.ok(parts.length > 0, `<${tag}> has parts to point at`);
      for (const part of parts) {
        await page.$eval(tag, (element, name) => /** @type {SVGElement} */ (/** @type {ShadowRoot} */ (element.shadowRoot).querySelector(`[data-part="${name}"][tabindex]`)).focus(), part);
        await drawn(page);
        assert.deepEqual(await heights(page), expected, `<${tag}> part ${part} at ${width} px`);
      }
    }
  }
});

browserTest('the labels of the values keep their sides from one width to the next', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  /** @type {Set<string>} */
  const seen = new Set();
  for (const width of [688, 720, 760, 800, 900, 1024, 1280]) {
    await page.setViewportSize({ width: width + 48, height: 800 });
    await drawn(page);
    seen.add(await page.$eval('attn-two-key', (element) => [.../** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.vector.value')].map((vector) => {
      const [point, label] = ['.tip', 'text'].map((part) => /** @type {Element} */ (vector.querySelector(part)).getBoundingClientRect());
      return label.bottom <= point.top ? 'above' : label.top >= point.bottom ? 'below' : 'beside';
    }).join()));
  }
  assert.deepEqual([...seen], ['below,above']);
});

browserTest('the menu of files covers neither the formula nor what follows the figure', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key><p id="after">After.</p>');
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await drawn(page);
    const menu = page.locator('attn-two-key details.menu');
    await menu.locator('summary').click();
    await drawn(page);
    const [box, formula, after] = await Promise.all([menu.locator('> div'), page.locator('attn-two-key .explanation'), page.locator('#after')].map(async (part) => /** @type {{ x: number, y: number, width: number, height: number }} */ (await part.boundingBox())));
    const buttons = await menu.locator('button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
    assert.ok(box.y >= formula.y + formula.height && box.y + box.height <= after.y, `${width} px`);
    assert.ok(box.x >= 0 && box.x + box.width <= width, `${width} px: ${box.x} to ${box.x + box.width}`);
    assert.ok(Math.max(...buttons) <= box.y + box.height, 'the menu holds all its buttons');
    await page.keyboard.press('Escape');
  }
});
