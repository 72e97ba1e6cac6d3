import assert from 'node:assert/strict';
import { drawn, stateOf } from './support/element.js';
import { browserTest } from './support/page.js';

browserTest('G09: on a right-to-left page Up and Left raise a slider, Down and Right lower it', async (site) => {
  const page = await site.open('<attn-two-key q="0,0"></attn-two-key>', { dir: 'rtl', lang: 'ar' });
  const slider = page.locator('attn-two-key input[type=range]').first();
  await slider.focus();
  for (const [key, sign] of /** @type {const} */ ([['ArrowUp', 1], ['ArrowLeft', 1], ['ArrowDown', -1], ['ArrowRight', -1]])) {
    const before = (await stateOf(page, 'attn-two-key')).q[0];
    await page.keyboard.press(key);
    const after = (await stateOf(page, 'attn-two-key')).q[0];
    assert.equal(Math.sign(after - before), sign, key);
  }
});

browserTest('G09: on a right-to-left page keys keep their order from left to right, and so do arrow keys in the matrix', async (site) => {
  const page = await site.open('<attn-mask n="4"></attn-mask>', { dir: 'rtl', lang: 'ar' });
  const grid = page.locator('attn-mask').getByRole('grid').last();
  const lefts = await grid.getByRole('row').first().getByRole('gridcell').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
  assert.deepEqual(lefts, [...lefts].sort((a, b) => a - b));
  const cell = grid.getByRole('row').first().getByRole('gridcell').first();
  await cell.focus();
  await page.keyboard.press('ArrowRight');
  await drawn(page);
  const focused = await page.$eval('attn-mask', (element) => element.shadowRoot?.activeElement?.getAttribute('aria-colindex'));
  assert.equal(focused, '2');
});

browserTest('G09: on a right-to-left page sentences keep their full stops at their ends', async (site) => {
  const page = await site.open('<attn-two-key lang="en"></attn-two-key><attn-mask lang="en"></attn-mask>', { dir: 'rtl', lang: 'ar' });
  for (const [tag, selector] of [['attn-two-key', '.explanation p'], ['attn-mask', '.sentence']]) {
    const { start, stop, right, edge } = await page.$eval(tag, (element, inside) => {
      const sentence = /** @type {Element} */ (element.shadowRoot?.querySelector(inside));
      const text = /** @type {Text} */ ([...sentence.childNodes].find((node) => node instanceof Text && node.data.trim().endsWith('.')));
      const at = (/** @type {number} */ from) => {
        const range = document.createRange();
        range.setStart(text, from);
        range.setEnd(text, from + 1);
        return range.getBoundingClientRect();
      };
      const first = text.data.search(/\S/);
      return { start: at(first).left, stop: at(text.data.trimEnd().length - 1).left, right: at(text.data.trimEnd().length - 1).right, edge: sentence.getBoundingClientRect().right };
    }, selector);
    assert.ok(stop > start, `${tag}: the full stop stands at ${stop}, the sentence begins at ${start}`);
    assert.ok(edge - right < 2, `${tag}: the sentence ends at ${right}, its line at ${edge}`);
  }
}, { context: { viewport: { width: 1280, height: 800 } } });

browserTest('G09: formulas stay left to right', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>', { dir: 'rtl', lang: 'ar' });
  const directions = await page.$eval('attn-two-key', (element) => [.../** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('math, svg')].map((node) => getComputedStyle(node).direction));
  assert.ok(directions.length > 1);
  assert.deepEqual([...new Set(directions)], ['ltr']);
});
