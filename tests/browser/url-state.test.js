import assert from 'node:assert/strict';
import { stateOf } from './support/element.js';
import { browserTest } from './support/page.js';

/** Counts what is written to the history. @param {import('playwright-core').Page} page */
const countWrites = (page) => page.addInitScript(() => {
  Object.assign(window, { writes: { push: 0, replace: 0 } });
  const { pushState, replaceState } = history;
  history.pushState = (...args) => { /** @type {any} */ (window).writes.push += 1; pushState.apply(history, args); };
  history.replaceState = (...args) => { /** @type {any} */ (window).writes.replace += 1; replaceState.apply(history, args); };
});
/** @param {import('playwright-core').Page} page */
const writes = (page) => page.evaluate(() => /** @type {any} */ (window).writes);

/** Many moves by the keyboard. @param {import('playwright-core').Page} page @param {number} times */
async function moves(page, times) {
  const slider = page.locator('attn-two-key input[type=range]').first();
  await slider.focus();
  await slider.evaluate(async (input, count) => {
    const range = /** @type {HTMLInputElement} */ (input);
    for (let at = 0; at < count; at += 1) {
      range.value = String((at % 50) / 50);
      range.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      if (at % 20 === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, times);
}

browserTest('G04: without being asked an element writes nothing to the address', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>', { before: countWrites });
  await moves(page, 20);
  await page.waitForTimeout(700);
  assert.deepEqual(await writes(page), { push: 0, replace: 0 });
});

browserTest('G04: a thousand moves add no history entry and at most one write in 500 ms', async (site) => {
  const page = await site.open('<attn-two-key url-state></attn-two-key>', { query: '?page=3&x=a%20b#part', before: countWrites });
  const length = await page.evaluate(() => history.length);
  const start = Date.now();
  await moves(page, 1000);
  await page.waitForTimeout(700);
  const { push, replace } = await writes(page);
  assert.equal(push, 0);
  assert.ok(replace >= 1 && replace <= Math.ceil((Date.now() - start) / 500), `${replace} writes`);
  assert.equal(await page.evaluate(() => history.length), length);

  const address = new URL(page.url());
  assert.equal(address.hash, '#part');
  assert.equal(address.searchParams.get('page'), '3');
  assert.match(address.search, /x=a%20b/);
  const { q } = await stateOf(page, 'attn-two-key');
  await page.reload();
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('attn-two-key')).result);
  assert.deepEqual((await stateOf(page, 'attn-two-key')).q, q);
});

browserTest('G04: several elements share an address without disturbing each other', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key><attn-two-key id="second"></attn-two-key><attn-mask></attn-mask>');
  const link = await page.evaluate(() => {
    const [first, second] = /** @type {any[]} */ ([...document.querySelectorAll('attn-two-key')]);
    second.q = [0, 1];
    history.replaceState(null, '', second.shareUrl());
    first.q = [2, 2];
    return first.shareUrl();
  });
  await page.goto(link);
  await page.waitForFunction(() => [...document.querySelectorAll('attn-two-key, attn-mask')].every((element) => /** @type {any} */ (element).result));
  const queries = await page.$$eval('attn-two-key', (elements) => elements.map((element) => /** @type {any} */ (element).state.q));
  assert.deepEqual(queries, [[2, 2], [0, 1]]);
});

browserTest('G04: a foreign or damaged state in the address is ignored', async (site) => {
  for (const query of ['?attn-two-key=%7B%22q%22%3A', '?attn-two-key=[1,2]', '?attn-two-key=%7B%22q%22%3A%22x%22%7D', '?attn-two-key=null', '?attn-two-key=%E0%A4%A']) {
    const page = await site.open('<attn-two-key q="0,1"></attn-two-key>', { query });
    assert.deepEqual((await stateOf(page, 'attn-two-key')).q, [0, 1], query);
    assert.equal(await page.locator('attn-two-key .problem').count(), 0, query);
    await page.close();
  }
  assert.deepEqual(site.journal.texts('warning'), []);
});
