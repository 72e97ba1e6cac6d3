import assert from 'node:assert/strict';
import { drawn, stateOf } from './support/element.js';
import { censusOf, installCensus } from './support/census.js';
import { browserTest } from './support/page.js';

for (const markup of ['<attn-two-key q="0.5,0.25"></attn-two-key>', '<attn-mask n="4" mask="window"></attn-mask>']) {
  const tag = /** @type {RegExpExecArray} */ (/^<([\w-]+)/.exec(markup))[1];

  browserTest(`D13: <${tag}> moved a hundred times keeps its state, its listeners and its download`, async (site) => {
    const page = await site.open(`<div id="one">${markup}</div><div id="two"></div>`, { before: installCensus });
    await page.$eval(tag, (element, values) => { /** @type {any} */ (element).state = values; }, tag === 'attn-two-key' ? { q: [-1, 2] } : { row: 3 });
    await drawn(page);
    const before = { state: await stateOf(page, tag), census: await censusOf(page), requests: site.journal.requests.length };

    await page.evaluate(async (name) => {
      const element = /** @type {Element} */ (document.querySelector(name));
      for (let move = 1; move <= 100; move += 1) {
        document.querySelector(move % 2 ? '#two' : '#one')?.append(element);
        if (move % 10 === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }, tag);
    await drawn(page);

    const { listeners, observers } = await censusOf(page);
    assert.deepEqual(await stateOf(page, tag), before.state);
    assert.deepEqual({ listeners, observers }, { listeners: before.census.listeners, observers: before.census.observers });
    assert.equal(site.journal.requests.length, before.requests);
    // It hears the reader and the page as before.
    await page.$eval(tag, (element) => element.setAttribute('theme', 'dark'));
    await drawn(page);
    assert.equal(await page.$eval(tag, (element) => /** @type {any} */ (element).theme), 'dark');
  });

  browserTest(`D13: <${tag}> that is gone for good leaves no listener, observer or timer`, async (site) => {
    const page = await site.open('', { before: installCensus });
    const before = await censusOf(page);
    await page.evaluate(async (html) => {
      const main = /** @type {HTMLElement} */ (document.querySelector('main'));
      main.innerHTML = html;
      await /** @type {any} */ (main.firstElementChild).ready;
      Object.assign(/** @type {any} */ (main.firstElementChild), { theme: 'dark' });
      main.replaceChildren();
    }, markup);
    await page.waitForTimeout(400);
    await censusOf(page);
    await page.waitForTimeout(600);
    const { listeners, observers, timers } = await censusOf(page);
    assert.deepEqual({ listeners, observers, timers }, { listeners: before.listeners, observers: before.observers, timers: 0 });
  });
}
