import assert from 'node:assert/strict';
import { drawn, stateOf } from './support/element.js';
import { browserTest } from './support/page.js';

/** @param {import('playwright-core').Page} page */
const grids = (page) => page.locator('attn-mask').getByRole('grid').all();
/** Where the focus is: name of the grid, row and column from 1. @param {import('playwright-core').Page} page */
const place = (page) => page.$eval('attn-mask', (element) => {
  const cell = element.shadowRoot?.activeElement;
  const row = cell?.closest('[role=row]')?.getAttribute('aria-rowindex');
  return `${row}:${cell?.getAttribute('aria-colindex')}`;
});

browserTest('D09: a matrix is a grid of rows of named cells with one tab stop', async (site) => {
  const page = await site.open('<attn-mask n="3" tokens="the,cat,sat"></attn-mask>');
  const all = await grids(page);
  assert.equal(all.length, 3, 'scores, mask, weights');
  for (const grid of all) {
    const rows = await grid.getByRole('row').all();
    assert.equal(rows.length, 3);
    // The weights have two columns more: the sums and the outputs.
    const columns = Number(await grid.getAttribute('aria-colcount'));
    assert.ok(columns === 3 || (columns === 5 && grid === all[2]));
    for (const row of rows) assert.equal(await row.getByRole('gridcell').count(), columns);
    assert.equal(await grid.locator('[role=gridcell][tabindex="0"]').count(), 1);
    assert.ok(await grid.getAttribute('aria-label'));
    assert.equal(await grid.evaluate((element) => element.closest('[role=img]')), null);
  }
  const weights = /** @type {import('playwright-core').Locator} */ (all.at(-1));
  const names = await weights.getByRole('gridcell').evaluateAll((cells) => cells.map((cell) => (cell.getAttribute('aria-label') ?? '').replace(/[\u2066-\u2069]/g, '')));
  assert.match(names[5], /query 2.*cat.*key 1.*the.*weight 0\.5/);
  assert.match(names[6], /query 2.*cat.*key 2.*cat.*weight 0\.5/);
  assert.match(names[7], /query 2.*cat.*key 3.*sat.*masked/);
  assert.match(names[8], /query 2.*cat.*sum.*1/);
  assert.match(names[9], /query 2.*cat.*output 1\.5/);
});

browserTest('D09: arrow keys move in two directions and stop at the edges; Home and End go to the ends', async (site) => {
  const page = await site.open('<attn-mask n="3"></attn-mask>');
  for (const grid of await grids(page)) {
    await grid.getByRole('gridcell').first().focus();
    const last = await grid.getAttribute('aria-colcount');
    const path = [
      ['ArrowLeft', '1:1'], ['ArrowUp', '1:1'], ['ArrowRight', '1:2'], ['ArrowDown', '2:2'], ['End', `2:${last}`], ['ArrowRight', `2:${last}`],
      ['ArrowDown', `3:${last}`], ['ArrowDown', `3:${last}`], ['Home', '3:1'], ['Control+End', `3:${last}`], ['Control+Home', '1:1'],
    ];
    for (const [key, expected] of path) {
      await page.keyboard.press(key);
      await drawn(page);
      assert.equal(await place(page), expected, key);
    }
    assert.equal(await grid.locator('[role=gridcell][tabindex="0"]').count(), 1);
  }
});

browserTest('D09: Tab leaves the grid, and comes back to the cell it left', async (site) => {
  const page = await site.open('<attn-mask n="3"></attn-mask>');
  const [first] = await grids(page);
  await first.getByRole('gridcell').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  const inFirst = () => first.evaluate((grid) => grid.contains(/** @type {ShadowRoot} */ (grid.getRootNode()).activeElement));
  assert.ok(await inFirst());
  await page.keyboard.press('Tab');
  assert.equal(await inFirst(), false);
  await page.keyboard.press('Shift+Tab');
  assert.ok(await inFirst());
  assert.equal(await place(page), '2:2');
});

browserTest('D09: Enter and Space press a cell of the mask', async (site) => {
  const page = await site.open('<attn-mask n="3"></attn-mask>');
  const mask = (await grids(page))[1];
  await mask.getByRole('gridcell').nth(2).focus();
  await page.keyboard.press('Enter');
  const { mask: preset, allow } = await stateOf(page, 'attn-mask');
  assert.equal(preset, 'own');
  assert.deepEqual(allow, [[true, false, true], [true, true, false], [true, true, true]]);
  await page.keyboard.press('Space');
  assert.deepEqual((await stateOf(page, 'attn-mask')).allow[0], [true, false, false]);
  assert.equal(await place(page), '1:3');
});

browserTest('D09: the numbers are there as real tables too', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key><attn-mask></attn-mask>');
  for (const tag of ['attn-two-key', 'attn-mask']) {
    const table = page.locator(tag).getByRole('table').first();
    assert.ok(await table.getByRole('columnheader').count() > 1);
    assert.ok(await table.getByRole('row').count() > 2);
  }
  assert.match(String(await page.locator('attn-two-key').getByRole('table').first().textContent()), /0\.66976/);
});

browserTest('D09: everything can be reached and left by Tab, and the focus can be seen', async (site) => {
  const page = await site.open('<button id="before">before</button><attn-two-key></attn-two-key><attn-mask></attn-mask><button id="after">after</button>');
  await page.locator('#before').focus();
  const seen = [];
  for (let press = 0; press < 80; press += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const outer = document.activeElement;
      const inner = outer?.shadowRoot?.activeElement;
      return inner ? `${outer?.localName} ${inner.localName} ${inner.getAttribute('data-part') ?? inner.getAttribute('aria-label') ?? inner.textContent?.trim()}` : outer?.id ?? '';
    });
    seen.push(stop);
    if (stop === 'after') break;
    assert.ok(await looksFocused(page), `the focus cannot be seen on ${stop}`);
  }
  assert.equal(seen.at(-1), 'after', `stuck at ${seen.at(-1)}`);
  assert.ok(seen.length > 10);
});

/** Whether what has the focus looks different without it. @param {import('playwright-core').Page} page */
async function looksFocused(page) {
  const box = await page.evaluate(() => {
    const inner = /** @type {Element} */ (document.activeElement?.shadowRoot?.activeElement);
    inner.scrollIntoView({ block: 'center' });
    const { x, y, width, height } = inner.getBoundingClientRect();
    return { x: x - 8, y: y - 8, width: width + 16, height: height + 16 };
  });
  const view = /** @type {{ width: number, height: number }} */ (page.viewportSize());
  const clip = { x: Math.max(0, box.x), y: Math.max(0, box.y), width: Math.min(box.width, view.width), height: Math.min(box.height, view.height) };
  const focused = await page.screenshot({ clip });
  const inner = await page.evaluateHandle(() => /** @type {HTMLElement} */ (document.activeElement?.shadowRoot?.activeElement));
  await inner.evaluate((element) => element.blur());
  await drawn(page);
  const blurred = await page.screenshot({ clip });
  await inner.evaluate((element) => element.focus(/** @type {FocusOptions} */ ({ focusVisible: true, preventScroll: true })));
  return !focused.equals(blurred);
}
