import assert from 'node:assert/strict';
import { eventsOf, recordEvents, resultOf, stateOf } from './support/element.js';
import { bits, matrixTexts, preset } from './support/mask.js';
import { assertNear } from './support/near.js';
import { browserTest } from './support/page.js';

/** What each preset means for five tokens; window 2, blocks of 2 that end with the last token's. */
const PRESETS = {
  none: ['11111', '11111', '11111', '11111', '11111'],
  causal: ['10000', '11000', '11100', '11110', '11111'],
  padding: ['11110', '11110', '11110', '11110', '11110'],
  window: ['11000', '11100', '01110', '00111', '00011'],
  block: ['11000', '11000', '00110', '00110', '00001'],
};

browserTest('zero scores under the causal mask show 1, ½ ½, ⅓ ⅓ ⅓', async (site) => {
  const page = await site.open('<attn-mask></attn-mask>');
  assert.deepEqual(await matrixTexts(page, 'weights'), [['1', '0', '0'], ['½', '½', '0'], ['⅓', '⅓', '⅓']]);
  assert.deepEqual(await matrixTexts(page, 'scores'), [['0', '0', '0'], ['0', '0', '0'], ['0', '0', '0']]);
  assert.deepEqual(await matrixTexts(page, 'mask'), [['0', '−∞', '−∞'], ['0', '0', '−∞'], ['0', '0', '0']]);
  const { scores, allow, weights, rowSums, output } = await resultOf(page, 'attn-mask');
  assert.deepEqual(scores, [[0, 0, 0], [0, 0, 0], [0, 0, 0]]);
  assert.deepEqual(allow, [[true, false, false], [true, true, false], [true, true, true]]);
  assertNear(weights, [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]);
  assertNear(rowSums, [1, 1, 1]);
  assertNear(output, [[1], [1.5], [2]]);
});

browserTest('each preset is one click and one event, and shows what it means', async (site) => {
  const page = await site.open('<attn-mask n="5" mask="own"></attn-mask>');
  await recordEvents(page, 'attn-change');
  for (const [name, expected] of Object.entries(PRESETS)) {
    await preset(page, name).check();
    const events = await eventsOf(page, 'attn-change');
    assert.equal(events.length, 1, name);
    assert.equal(events[0].detail.state.mask, name);
    const { allow, weights, rowSums } = await resultOf(page, 'attn-mask');
    assert.deepEqual(bits(allow), expected, name);
    for (const [i, row] of weights.entries()) {
      const visible = [...expected[i]].filter((bit) => bit === '1').length;
      row.forEach((/** @type {number} */ weight, /** @type {number} */ j) => assertNear(weight, expected[i][j] === '1' ? 1 / visible : 0));
    }
    assertNear(rowSums, [1, 1, 1, 1, 1]);
    assert.deepEqual((await matrixTexts(page, 'mask')).map((row) => row.map((text) => (text === '0' ? '1' : '0')).join('')), expected);
  }
});

browserTest('the graph mask follows its edges, and every token sees itself', async (site) => {
  const page = await site.open('<attn-mask n="4" mask="graph" edges="1-2, 3-4"></attn-mask>');
  assert.deepEqual(bits((await resultOf(page, 'attn-mask')).allow), ['1100', '1100', '0011', '0011']);
  await page.$eval('attn-mask', (element) => element.setAttribute('edges', '1-4'));
  assert.deepEqual(bits((await resultOf(page, 'attn-mask')).allow), ['1001', '0100', '0010', '1001']);
});

browserTest('A07 A20: a causal window counts the token itself; fewer queries than keys are the tail', async (site) => {
  const page = await site.open('<attn-mask queries="2" keys="6" mask="window" window="3" causal></attn-mask>');
  assert.deepEqual(bits((await resultOf(page, 'attn-mask')).allow), ['001110', '000111']);
  assertNear((await resultOf(page, 'attn-mask')).output, [[4], [5]]);
  await page.$eval('attn-mask', (element) => { /** @type {any} */ (element).state = { mask: 'causal', causal: false, queries: 2, keys: 5 }; });
  assertNear((await resultOf(page, 'attn-mask')).output, [[2.5], [3]]);
});

browserTest('the size goes from 1 to 12 by its buttons, and no further', async (site) => {
  const page = await site.open('<attn-mask n="11"></attn-mask>');
  const size = async () => (await resultOf(page, 'attn-mask')).allow.length;
  const button = (/** @type {string} */ name) => page.locator('attn-mask').getByRole('button', { name });
  await button('one token more').click();
  assert.equal(await size(), 12);
  await button('one token more').click({ force: true });
  assert.equal(await size(), 12);
  for (let press = 0; press < 12; press += 1) await button('one token less').click({ force: true });
  assert.equal(await size(), 1);
  assert.deepEqual(await matrixTexts(page, 'weights'), [['1']]);
  assert.deepEqual((await stateOf(page, 'attn-mask')).mask, 'causal');
});

browserTest('E08: two queries and five keys make two rows and five columns, each with its label', async (site) => {
  const page = await site.open('<attn-mask queries="2" keys="5" mask="none" tokens="a,b,c,d,e" query-tokens="x,y"></attn-mask>');
  for (const matrix of ['scores', 'mask', 'weights']) {
    const texts = await matrixTexts(page, matrix);
    assert.deepEqual(texts.map((row) => row.length), [5, 5], matrix);
  }
  const labels = await page.$$eval('attn-mask', ([element]) => [.../** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.axis-label')].map((label) => label.textContent?.replace(/[\u2066-\u2069]/g, '').trim()));
  for (const token of ['a', 'b', 'c', 'd', 'e', 'x', 'y']) assert.ok(labels.some((label) => label === token), `${token} among ${labels}`);
  assert.match(await page.locator('attn-mask .figure').innerText(), /2×5/);
});
