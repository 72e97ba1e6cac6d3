import assert from 'node:assert/strict';
import { eventsOf, recordEvents, resultOf, stateOf } from './support/element.js';
import { browserTest } from './support/page.js';

/** What a reader can do with one act each. @type {[name: string, tag: string, act: (page: import('playwright-core').Page) => Promise<unknown>][]} */
const ACTS = [
  ['a key on a slider', 'attn-two-key', async (page) => page.locator('attn-two-key input[type=range]').first().press('ArrowLeft')],
  ['a number typed', 'attn-two-key', async (page) => {
    const field = page.locator('attn-two-key input[type=text]').first();
    await field.fill('0.5');
    await field.press('Enter');
    await field.blur();
  }],
  ['a key on the point', 'attn-two-key', async (page) => page.locator('attn-two-key [role=slider][aria-roledescription]').press('ArrowUp')],
  ['a preset', 'attn-mask', async (page) => page.locator('attn-mask').getByRole('radio', { name: 'none', exact: true }).check()],
  ['a cell', 'attn-mask', async (page) => page.locator('attn-mask [data-part="mask:0:1"]').click()],
  ['a step', 'attn-mask', async (page) => page.locator('attn-mask').getByRole('button', { name: 'next row' }).click()],
  ['a token more', 'attn-mask', async (page) => page.locator('attn-mask').getByRole('button', { name: 'one token more' }).click()],
];

for (const [name, tag, act] of ACTS) {
  browserTest(`D14: ${name} is one attn-change with state and result, also outside a shadow tree around it`, async (site) => {
    const page = await site.open('<x-around></x-around>', { wait: false });
    await page.evaluate(async (localName) => {
      const root = /** @type {Element} */ (document.querySelector('x-around')).attachShadow({ mode: 'open' });
      root.innerHTML = `<${localName}></${localName}>`;
      await customElements.whenDefined(localName);
      await /** @type {any} */ (root.firstElementChild).ready;
    }, tag);
    await recordEvents(page, 'attn-change');
    await act(page);
    const events = await eventsOf(page, 'attn-change');
    assert.equal(events.length, 1);
    const [{ target, detail }] = events;
    assert.equal(target, 'x-around');
    const { state, result } = await page.locator(tag).evaluate((element) => JSON.parse(JSON.stringify({ state: /** @type {any} */ (element).state, result: /** @type {any} */ (element).result })));
    assert.deepEqual(detail, { state, result });
  });
}

browserTest('D14: acts within one frame are events of their own, and none is lost', async (site) => {
  const page = await site.open('<attn-two-key q="0,0"></attn-two-key><attn-mask n="2"></attn-mask>');
  await recordEvents(page, 'attn-change');
  await page.evaluate(() => {
    const inside = (/** @type {string} */ tag, /** @type {string} */ selector) => /** @type {any} */ (document.querySelector(tag)?.shadowRoot?.querySelector(selector));
    const press = (/** @type {Element} */ target, /** @type {string} */ key) => target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
    for (let times = 0; times < 5; times += 1) {
      press(inside('attn-two-key', '[role=slider][aria-roledescription]'), 'ArrowUp');
      press(inside('attn-two-key', 'input[type=range]'), 'ArrowRight');
      inside('attn-mask', 'button[aria-label="one token more"]').click();
    }
  });
  const events = await eventsOf(page, 'attn-change');
  assert.equal(events.length, 15);
  const { q } = await stateOf(page, 'attn-two-key');
  assert.ok(q[0] > 0 && Math.abs(q[0] - q[1]) < 1e-9, String(q));
  assert.deepEqual(events.filter(({ target }) => target === 'attn-two-key').at(-1)?.detail.state.q, q);
  assert.equal((await resultOf(page, 'attn-mask')).weights.length, 7);
});

browserTest('D14: the reset button is one event when it changes something', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  await recordEvents(page, 'attn-change');
  await page.locator('attn-two-key input[type=range]').first().press('Home');
  assert.equal((await eventsOf(page, 'attn-change')).length, 1);
  await page.locator('attn-two-key').getByRole('button', { name: 'Reset' }).click();
  const events = await eventsOf(page, 'attn-change');
  assert.equal(events.length, 1);
  assert.deepEqual(events[0].detail.state.q, [1, 0]);
});

browserTest('D14: what a program does fires nothing', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key><attn-mask></attn-mask>');
  await recordEvents(page, 'attn-change');
  await recordEvents(page, 'attn-error');
  await page.evaluate(async () => {
    const twoKey = /** @type {any} */ (document.querySelector('attn-two-key'));
    const mask = /** @type {any} */ (document.querySelector('attn-mask'));
    twoKey.q = [0, 1];
    twoKey.setAttribute('q', '0.5,0.5');
    twoKey.state = { temperature: 2 };
    twoKey.theme = 'dark';
    twoKey.lang = 'zh-CN';
    mask.mask = 'none';
    mask.setAttribute('n', '4');
    await new Promise((resolve) => requestAnimationFrame(resolve));
    twoKey.reset();
    mask.reset();
    twoKey.shareUrl();
    twoKey.toSVG();
  });
  assert.deepEqual(await eventsOf(page, 'attn-change'), []);
  assert.deepEqual(await eventsOf(page, 'attn-error'), []);
});

browserTest('D14: neither input nor change of the controls leaves the element as an event of its own', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  await recordEvents(page, 'attn-change');
  await page.evaluate(() => {
    Object.assign(window, { leaked: 0 });
    document.addEventListener('change', () => { /** @type {any} */ (window).leaked += 1; });
  });
  await page.locator('attn-two-key input[type=text]').first().fill('2');
  await page.locator('attn-two-key input[type=text]').first().blur();
  assert.equal((await eventsOf(page, 'attn-change')).length, 1);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).leaked), 0);
  assert.deepEqual((await stateOf(page, 'attn-two-key')).q, [2, 0]);
  assert.ok(await resultOf(page, 'attn-two-key'));
});
