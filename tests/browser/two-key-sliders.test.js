import assert from 'node:assert/strict';
import { drawn, eventsOf, recordEvents, stateOf, visibleText } from './support/element.js';
import { browserTest } from './support/page.js';
import { middle, swipe } from './support/touch.js';

/** The range input of q1 or q2. @param {import('playwright-core').Page} page @param {1 | 2} index */
const slider = (page, index) => page.locator('attn-two-key input[type=range]').nth(index - 1);
/** The field beside it. @param {import('playwright-core').Page} page @param {1 | 2} index */
const field = (page, index) => page.locator('attn-two-key input[type=text]').nth(index - 1);
/** @param {import('playwright-core').Page} page @returns {Promise<number[]>} */
const query = async (page) => (await stateOf(page, 'attn-two-key')).q;

browserTest('sliders and fields have a name each, and the slider says the text of the field', async (site) => {
  const page = await site.open('<attn-two-key q="0.3,-1.25"></attn-two-key>');
  for (const index of /** @type {const} */ ([1, 2])) {
    const name = await slider(page, index).getAttribute('aria-label');
    assert.ok(name && name.includes(index === 1 ? '1' : '2') || /[₁₂]/.test(name ?? ''), String(name));
    assert.equal(await field(page, index).getAttribute('aria-label'), `${name}, exact value`);
    assert.equal(await slider(page, index).getAttribute('aria-valuetext'), await field(page, index).inputValue());
  }
  assert.equal(await field(page, 2).inputValue(), '−1.25');
});

browserTest('G02: dragging a slider by the mouse reaches both ends exactly', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  for (const index of /** @type {const} */ ([1, 2])) {
    const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (await slider(page, index).boundingBox());
    const y = box.y + box.height / 2;
    for (const [x, expected] of /** @type {const} */ ([[box.x + box.width + 80, 3], [box.x - 80, -3]])) {
      await page.mouse.move(box.x + box.width / 2, y);
      await page.mouse.down();
      await page.mouse.move((x + box.x) / 2, y, { steps: 4 });
      await page.mouse.move(x, y, { steps: 4 });
      await page.mouse.up();
      assert.equal((await query(page))[index - 1], expected);
      assert.equal(await field(page, index).inputValue(), String(expected).replace('-', '−'));
    }
  }
});

browserTest('G02: the keys of a slider go by its step, reach both ends, and leave no long tail', async (site) => {
  const page = await site.open('<attn-two-key q="0,0"></attn-two-key>');
  await slider(page, 1).focus();
  await page.keyboard.press('Home');
  assert.equal((await query(page))[0], -3);
  await page.keyboard.press('ArrowLeft');
  assert.equal((await query(page))[0], -3);
  const seen = [];
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('ArrowRight');
    seen.push((await query(page))[0]);
  }
  const step = Number((seen[0] + 3).toFixed(4));
  assert.ok(step > 0 && step <= 0.1);
  assert.deepEqual(seen, seen.map((_, at) => Number((-3 + step * (at + 1)).toFixed(4))));
  await page.keyboard.press('End');
  assert.equal((await query(page))[0], 3);
  await page.keyboard.press('ArrowUp');
  assert.equal((await query(page))[0], 3);
  await page.keyboard.press('PageDown');
  assert.ok((await query(page))[0] < 3 - step);
});

browserTest('D07: a vertical swipe that starts on a slider scrolls the page and leaves the value', async (site) => {
  const style = site.server.add({ body: 'main::after { content: ""; display: block; height: 2000px; }', type: 'text/css' }, 'page.css');
  const page = await site.open('<attn-two-key></attn-two-key>', { head: `<link rel="stylesheet" href="${style}">` });
  await recordEvents(page, 'attn-change');
  await slider(page, 1).scrollIntoViewIfNeeded();
  const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (await slider(page, 1).boundingBox());
  const before = await page.evaluate(() => scrollY);
  // Off the thumb, where a native slider would jump at once.
  const from = { x: box.x + box.width * 0.2, y: box.y + box.height / 2 };
  await swipe(page, from, { x: from.x + 3, y: from.y - 220 });
  await page.waitForFunction((top) => scrollY > top + 100, before);
  assert.deepEqual(await query(page), [1, 0]);
  assert.deepEqual(await eventsOf(page, 'attn-change'), []);
}, { context: { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true } });

browserTest('D07: a horizontal swipe changes the value, to both ends, and does not scroll', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  await slider(page, 1).scrollIntoViewIfNeeded();
  const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (await slider(page, 1).boundingBox());
  const before = await page.evaluate(() => scrollY);
  const y = box.y + box.height / 2;
  await swipe(page, { x: box.x + box.width * 0.66, y }, { x: box.x + box.width + 20, y: y + 4 });
  assert.equal((await query(page))[0], 3);
  await swipe(page, { x: box.x + box.width - 10, y }, { x: Math.max(2, box.x - 40), y: y + 4 });
  assert.equal((await query(page))[0], -3);
  assert.equal(await page.evaluate(() => scrollY), before);
}, { context: { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true } });

browserTest('D07: a tap on the track sets the value there', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  await slider(page, 1).scrollIntoViewIfNeeded();
  const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (await slider(page, 1).boundingBox());
  await page.touchscreen.tap(box.x + box.width * 0.25, box.y + box.height / 2);
  const [value] = await query(page);
  assert.ok(Math.abs(value + 1.5) < 0.3, String(value));
}, { context: { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true } });

browserTest('D08: the wheel over any control changes nothing and scrolls the page', async (site) => {
  const style = site.server.add({ body: 'main::after { content: ""; display: block; height: 3000px; }', type: 'text/css' }, 'page.css');
  const page = await site.open('<attn-two-key temperature="1"></attn-two-key><attn-mask n="4"></attn-mask>', { head: `<link rel="stylesheet" href="${style}">` });
  await recordEvents(page, 'attn-change');
  const before = [await stateOf(page, 'attn-two-key'), await stateOf(page, 'attn-mask')];
  const controls = await page.locator('attn-two-key input, attn-two-key [role=slider], attn-mask input, attn-mask button, attn-mask [role=gridcell]').all();
  assert.ok(controls.length > 10);
  for (const control of controls.filter((_, at) => at < 8 || at % 7 === 0)) {
    if (!(await control.isVisible())) continue;
    await control.scrollIntoViewIfNeeded();
    await control.focus();
    const top = await page.evaluate(() => scrollY);
    const { x, y } = await middle(control);
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, 120);
    await page.waitForFunction((at) => scrollY !== at, top);
  }
  assert.deepEqual([await stateOf(page, 'attn-two-key'), await stateOf(page, 'attn-mask')], before);
  assert.deepEqual(await eventsOf(page, 'attn-change'), []);
});

browserTest('G05: typed "0,5" and "0.5" both mean one half', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  for (const [typed, expected] of /** @type {const} */ ([['0,5', 0.5], ['2', 2], ['0.5', 0.5], ['-1,25', -1.25], ['−1.25', -1.25], ['.75', 0.75], ['1e-1', 0.1], [' 2.5 ', 2.5], ['２', 2]])) {
    await field(page, 1).fill(typed);
    await field(page, 1).press('Enter');
    assert.equal((await query(page))[0], expected, typed);
    assert.equal(await field(page, 1).inputValue(), String(expected).replace('-', '−'));
    assert.notEqual(await field(page, 1).getAttribute('aria-invalid'), 'true');
  }
});

browserTest('G05 G11: what is no clear number changes nothing, marks the field and says why', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  await recordEvents(page, 'attn-change');
  const before = await visibleText(page, 'attn-two-key .figure').catch(() => page.locator('attn-two-key .figure').innerText());
  for (const typed of ['', '-', '.', '1e', '1.234,5', '1,234.5', '1 000', 'one', 'NaN', 'Infinity', '4', '-3.01', '0x1']) {
    await field(page, 1).fill(typed);
    await drawn(page);
    assert.equal(await field(page, 1).getAttribute('aria-invalid'), 'true', typed);
    const alert = page.locator('attn-two-key .controls').getByRole('alert').filter({ hasText: /\S/ });
    assert.ok((await alert.first().innerText()).length > 8, typed);
    assert.deepEqual(await query(page), [1, 0], typed);
    assert.equal(await page.locator('attn-two-key .figure').innerText(), before);
  }
  assert.deepEqual(await eventsOf(page, 'attn-change'), []);
  assert.doesNotMatch(await visibleText(page, 'attn-two-key'), /NaN(?!”)/);
  await field(page, 1).fill('2');
  await drawn(page);
  assert.equal(await field(page, 1).getAttribute('aria-invalid'), 'false');
  assert.deepEqual(await query(page), [2, 0]);
});

browserTest('D10: every slider says the text that is shown beside it', async (site) => {
  const page = await site.open('<attn-two-key q="0.123456,2" temperature="0.5"></attn-two-key>');
  const pairs = await page.$eval('attn-two-key', (element) => [.../** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.slider')].map((row) => ({
    said: row.querySelector('input[type=range]')?.getAttribute('aria-valuetext'),
    shown: /** @type {HTMLInputElement} */ (row.querySelector('input[type=text]')).value,
  })));
  assert.equal(pairs.length, 3);
  for (const { said, shown } of pairs) assert.equal(said, shown);
});

browserTest('D10: screen readers are told at most once in 300 ms while a slider moves', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  await page.$eval('attn-two-key', (element) => {
    /** @type {number[]} */
    const times = [];
    Object.assign(window, { times });
    for (const status of /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('[role=status], [aria-live]')) {
      new MutationObserver(() => times.push(performance.now())).observe(status, { childList: true, characterData: true, subtree: true });
    }
  });
  await slider(page, 1).focus();
  for (let press = 0; press < 25; press += 1) await page.keyboard.press('ArrowLeft', { delay: 30 });
  await page.waitForTimeout(500);
  const times = await page.evaluate(() => /** @type {any} */ (window).times);
  assert.ok(times.length >= 1);
  times.slice(1).forEach((/** @type {number} */ time, /** @type {number} */ at) => assert.ok(time - times[at] > 280, String(times)));
});

browserTest('on a phone the sliders stand within sight of each plane, below the first, and make way for an explanation', async (site) => {
  const page = await site.open('<svg width="9" height="900"></svg><attn-two-key></attn-two-key><svg width="9" height="900"></svg>');
  await page.setViewportSize({ width: 360, height: 740 });
  await drawn(page);
  /** @param {string} selector */
  const box = async (selector) => /** @type {{ y: number, height: number }} */ (await page.locator(`attn-two-key ${selector}`).first().boundingBox());
  const { y: top } = await box('.figure');
  /** @param {number} below  how far the top of the figure is above the top of the window */
  const scrollTo = (below) => page.evaluate((y) => window.scrollTo(0, y), top + below);

  for (const below of [0, 200, 400]) {
    await scrollTo(below);
    const { y, height } = await box('.controls');
    assert.ok(Math.abs(y + height - 740) < 1, `${below}: from ${y} to ${y + height}`);
  }
  await scrollTo(-600); // little of the figure is in the window: they wait below the first plane
  assert.ok((await box('.controls')).y > (await box('.figure')).y + 360);

  await scrollTo(200);
  await page.locator('attn-two-key [data-part="weight:0"]').first().click();
  const explanation = await box('.explanation');
  assert.ok(Math.abs(explanation.y + explanation.height - 740) < 1);
  assert.ok((await box('.controls')).y > 740);
});
