import assert from 'node:assert/strict';
import { eventsOf, recordEvents, resultOf, stateOf } from './support/element.js';
import { bits, cell, matrixTexts, preset } from './support/mask.js';
import { assertNear } from './support/near.js';
import { browserTest } from './support/page.js';

browserTest('a click on a cell opens or closes it and makes the mask the reader\'s own', async (site) => {
  const page = await site.open('<attn-mask></attn-mask>');
  await recordEvents(page, 'attn-change');
  await cell(page, 'mask', 1, 3).click();
  const [event, ...others] = await eventsOf(page, 'attn-change');
  assert.equal(others.length, 0);
  assert.equal(event.detail.state.mask, 'own');
  assert.deepEqual(bits(event.detail.result.allow), ['101', '110', '111']);
  assert.ok(await preset(page, 'own').isChecked());
  assert.deepEqual((await matrixTexts(page, 'weights'))[0], ['½', '0', '½']);

  await cell(page, 'mask', 1, 3).click();
  assert.deepEqual(bits((await resultOf(page, 'attn-mask')).allow), ['100', '110', '111']);
  assert.equal((await stateOf(page, 'attn-mask')).mask, 'own');
});

browserTest('a tap on a cell does the same on a phone', async (site) => {
  const page = await site.open('<attn-mask></attn-mask>');
  await cell(page, 'mask', 3, 1).tap();
  assert.deepEqual(bits((await resultOf(page, 'attn-mask')).allow), ['100', '110', '011']);
}, { context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } });

browserTest('the own mask survives a look at the others', async (site) => {
  const page = await site.open('<attn-mask></attn-mask>');
  await cell(page, 'mask', 2, 3).click();
  await preset(page, 'none').check();
  await preset(page, 'own').check();
  assert.deepEqual(bits((await resultOf(page, 'attn-mask')).allow), ['100', '111', '111']);
});

browserTest('a cell of the graph mask is an edge, in both directions', async (site) => {
  const page = await site.open('<attn-mask n="4" mask="graph" edges="1-2"></attn-mask>');
  await cell(page, 'mask', 4, 2).click();
  assert.deepEqual(bits((await resultOf(page, 'attn-mask')).allow), ['1100', '1101', '0010', '0101']);
  assert.equal((await stateOf(page, 'attn-mask')).mask, 'graph');
});

browserTest('cells of scores and weights are not pressed', async (site) => {
  const page = await site.open('<attn-mask></attn-mask>');
  await recordEvents(page, 'attn-change');
  await cell(page, 'scores', 1, 2).click();
  await cell(page, 'weights', 2, 2).click();
  assert.deepEqual(await eventsOf(page, 'attn-change'), []);
});

browserTest('E09: masked, exactly zero and not a number look different and read differently', async (site) => {
  const page = await site.open('<attn-mask n="3" mask="own" allow="110; 000; 111" empty-rows="nan"><script type="application/json">{"scores": [[0, -200, 0], [0, 0, 0], [0, 0, 0]]}</script></attn-mask>');
  const read = (/** @type {number} */ query, /** @type {number} */ key) => cell(page, 'weights', query, key).evaluate((element) => ({
    name: (element.getAttribute('aria-label') ?? '').replace(/^.*key \d+, /, ''),
    looks: [...element.querySelectorAll('rect, path')].map((shape) => `${shape.getAttribute('class')} ${getComputedStyle(shape).fill} ${getComputedStyle(shape).strokeDasharray}`).join('; '),
    text: element.querySelector('text')?.textContent?.trim(),
  }));
  const [masked, zero, notANumber, usual] = [await read(1, 3), await read(1, 2), await read(2, 1), await read(3, 1)];
  assert.equal(new Set([masked, zero, notANumber, usual].map(({ looks }) => looks)).size, 4);
  assert.match(masked.name, /masked/);
  assert.match(zero.name, /exactly 0/);
  assert.match(notANumber.name, /NaN/);
  assert.equal(notANumber.text, 'NaN');
  assertNear((await resultOf(page, 'attn-mask')).weights[2], [1 / 3, 1 / 3, 1 / 3]);
});

browserTest('E04: the legends end where the data may: weights 0 and 1, scores the same number on both sides of 0', async (site) => {
  const page = await site.open('<attn-mask n="3" mask="none"><script type="application/json">{"scores": [[1, -2.5, 0], [0, 1, 0], [0, 2, 0]]}</script></attn-mask>');
  const legends = await page.$eval('attn-mask', (element) => [.../** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.color-bar')].map((bar) => [...bar.querySelectorAll('text')].map((text) => text.textContent?.trim())));
  assert.deepEqual(legends.length, 2);
  assert.ok(legends.some((ticks) => ticks.includes('−2.50') && ticks.includes('2.50') && ticks.includes('0')), JSON.stringify(legends));
  assert.ok(legends.some((ticks) => ticks.includes('0') && ticks.includes('1')), JSON.stringify(legends));
});

browserTest('E07: tokens are text, and blank or empty ones have a form that can be seen', async (site) => {
  const tokens = ['<img src=x onerror="window.hacked=1">', ' ', '', '\n', '<b', '😀', 'שלום'];
  const page = await site.open('<attn-mask mask="none"></attn-mask>');
  await page.$eval('attn-mask', (element, values) => { /** @type {any} */ (element).state = { n: 7, tokens: values }; }, tokens);
  assert.deepEqual((await stateOf(page, 'attn-mask')).tokens, tokens);
  const labels = await page.$eval('attn-mask', (element) => [...new Set([.../** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.axis-label')].map((label) => label.textContent?.replace(/[\u2066-\u2069]/g, '').trim() ?? ''))]);
  assert.ok(labels.every((label) => label.length > 0), JSON.stringify(labels));
  assert.ok(labels.length >= 7, JSON.stringify(labels));
  assert.ok(labels.some((label) => label.startsWith('<img')), JSON.stringify(labels));
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).hacked), undefined);
  assert.equal(await page.$eval('attn-mask', (element) => element.shadowRoot?.querySelectorAll('img, b').length), 0);
  const svg = await page.$eval('attn-mask', (element) => /** @type {any} */ (element).toSVG());
  assert.equal(await page.evaluate((text) => new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('parsererror, img').length, svg), 0);
});
