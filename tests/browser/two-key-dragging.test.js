import assert from 'node:assert/strict';
import { drawn, eventsOf, recordEvents, stateOf } from './support/element.js';
import { browserTest } from './support/page.js';
import { middle, swipe } from './support/touch.js';

/** @param {import('playwright-core').Page} page */
const handle = (page) => page.locator('attn-two-key [role=slider][aria-roledescription]');
/** @param {import('playwright-core').Page} page @returns {Promise<number[]>} */
const query = async (page) => (await stateOf(page, 'attn-two-key')).q;
/** Where the parts of the figure are. @param {import('playwright-core').Page} page */
const places = (page) => page.$eval('attn-two-key', (element) => Object.fromEntries([.../** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.vector[data-part]')].map((part) => {
  const box = (part.querySelector('.ring, .tip') ?? part).getBoundingClientRect();
  return [part.getAttribute('data-part'), [box.x + box.width / 2, box.y + box.height / 2].map((value) => Math.round(value * 10) / 10)];
})));

browserTest('the query is dragged by the mouse; only it moves on its side, and only the output on the other', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  await recordEvents(page, 'attn-change');
  const before = await places(page);
  const from = await middle(handle(page));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x - 60, from.y - 40, { steps: 6 });
  await page.mouse.up();
  const [x, y] = await query(page);
  assert.ok(x < 1 && y > 0, String([x, y]));
  const after = await places(page);
  const moved = Object.keys(after).filter((part) => String(after[part]) !== String(before[part]));
  assert.deepEqual(moved.sort(), ['output', 'q']);
  assert.ok(Math.abs(after.q[0] - (from.x - 60)) < 6 && Math.abs(after.q[1] - (from.y - 40)) < 6, 'the point is under the pointer');

  const [v1, v2, output] = [after['value:0'], after['value:1'], after.output];
  const cross = (v2[0] - v1[0]) * (output[1] - v1[1]) - (v2[1] - v1[1]) * (output[0] - v1[0]);
  assert.ok(Math.abs(cross) / Math.hypot(v2[0] - v1[0], v2[1] - v1[1]) < 1, 'the output is on the segment');
  const events = await eventsOf(page, 'attn-change');
  assert.ok(events.length >= 1);
  assert.deepEqual(events.at(-1)?.detail.state.q, [x, y]);
});

browserTest('dragging far outside stops at both ends of both axes', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  for (const [dx, dy, expected] of /** @type {const} */ ([[900, -700, [3, 3]], [-900, 900, [-3, -3]]])) {
    const from = await middle(handle(page));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + dx, from.y + dy, { steps: 5 });
    await page.mouse.up();
    assert.deepEqual(await query(page), expected);
  }
});

browserTest('the query is dragged by a finger, without scrolling the page', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  await handle(page).scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => scrollY);
  const from = await middle(handle(page));
  await swipe(page, from, { x: from.x - 50, y: from.y - 60 });
  const [x, y] = await query(page);
  assert.ok(x < 1 && y > 0.3, String([x, y]));
  assert.equal(await page.evaluate(() => scrollY), top);
}, { context: { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true } });

browserTest('a finger that comes down elsewhere on the figure scrolls the page', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key><attn-mask></attn-mask><attn-mask></attn-mask>');
  const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (await page.locator('attn-two-key .figure').boundingBox());
  await swipe(page, { x: box.x + 30, y: 500 }, { x: box.x + 30, y: 250 });
  await page.waitForFunction(() => scrollY > 100);
  assert.deepEqual(await query(page), [1, 0]);
}, { context: { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true } });

browserTest('arrow keys move the query in the plane, along both axes and to both ends', async (site) => {
  const page = await site.open('<attn-two-key q="0,0"></attn-two-key>');
  await recordEvents(page, 'attn-change');
  await handle(page).focus();
  for (const [key, direction] of /** @type {const} */ ([['ArrowRight', [1, 0]], ['ArrowUp', [0, 1]], ['ArrowLeft', [-1, 0]], ['ArrowDown', [0, -1]]])) {
    const before = await query(page);
    await page.keyboard.press(key);
    const after = await query(page);
    assert.deepEqual([Math.sign(after[0] - before[0]), Math.sign(after[1] - before[1])], [...direction], key);
    assert.equal((await eventsOf(page, 'attn-change')).length, 1, key);
  }
  for (let press = 0; press < 70; press += 1) await page.keyboard.press('ArrowUp');
  await drawn(page);
  assert.equal((await query(page))[1], 3);
  assert.match(String(await handle(page).getAttribute('aria-valuetext')), /3/);
});

browserTest('F11: a hundred moves within one frame are computed once', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  const { count, q } = await page.$eval('attn-two-key', async (element) => {
    const widget = /** @type {any} */ (element);
    let computed = 0;
    const original = widget.compute;
    widget.compute = function compute(/** @type {any[]} */ ...args) {
      computed += 1;
      return original.apply(this, args);
    };
    for (let move = 0; move < 100; move += 1) widget.q = [move / 50, 1];
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return { count: computed, q: widget.result && widget.state.q };
  });
  assert.equal(count, 1);
  assert.deepEqual(q, [1.98, 1]);
});
