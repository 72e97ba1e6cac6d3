import assert from 'node:assert/strict';
import { drawn, eventsOf, recordEvents, TAGS, visibleText } from './support/element.js';
import { browserTest } from './support/page.js';

/** What a page may get wrong: element, attribute, bad text, what the sentence says, a good text. */
const BAD = [
  { tag: 'attn-two-key', attribute: 'q', bad: "['1', '0']", says: /position 2/, good: '0,1' },
  { tag: 'attn-two-key', attribute: 'q', bad: '[object Object]', says: /position 2/, good: '0,1' },
  { tag: 'attn-two-key', attribute: 'q', bad: '1,0,0', says: /2 numbers.*3/, good: '0,1' },
  { tag: 'attn-two-key', attribute: 'keys', bad: '1,0; 0', says: /2 numbers.*1/, good: '1,0; 1,1' },
  { tag: 'attn-two-key', attribute: 'values', bad: '2,0; 0,x', says: /position 8/, good: '2,0; 0,2' },
  { tag: 'attn-two-key', attribute: 'temperature', bad: '-1', says: /-1|−1/, good: '2' },
  { tag: 'attn-two-key', attribute: 'temperature', bad: 'Infinity', says: /Infinity/, good: '2' },
  { tag: 'attn-mask', attribute: 'n', bad: '13', says: /12.*13/, good: '4' },
  { tag: 'attn-mask', attribute: 'n', bad: '2.5', says: /2\.5/, good: '4' },
  { tag: 'attn-mask', attribute: 'mask', bad: 'casual', says: /causal.*casual/, good: 'none' },
  { tag: 'attn-mask', attribute: 'window', bad: '0', says: /from 1/, good: '3' },
  { tag: 'attn-mask', attribute: 'allow', bad: '[[object Object]]', says: /\[\[object Object/, good: '100; 110; 111' },
];

/** @param {import('playwright-core').Page} page @param {string} tag */
const snapshot = (page, tag) => page.$eval(tag, (element) => /** @type {any} */ (element).toJSON());

for (const tag of TAGS) {
  browserTest(`D04: a bad attribute of <${tag}> keeps the picture and says what is wrong, once`, async (site) => {
    for (const { attribute, bad, says, good } of BAD.filter((one) => one.tag === tag)) {
      const what = `${attribute}="${bad}"`;
      const page = await site.open(`<${tag}></${tag}>`);
      await recordEvents(page, 'attn-error');
      const before = await snapshot(page, tag);
      const warned = site.journal.texts('warning').length;
      const warnings = () => site.journal.texts('warning').slice(warned);

      await page.$eval(tag, (element, [name, text]) => element.setAttribute(name, text), [attribute, bad]);
      const [event, ...others] = await eventsOf(page, 'attn-error');
      assert.equal(event?.target, tag, what);
      assert.match(event.detail.message, says);
      assert.equal(others.length, 0, what);
      assert.deepEqual(await snapshot(page, tag), before, what);

      const shown = String(await page.locator(tag).locator('.problem').textContent());
      assert.match(shown, says);
      assert.match(shown, new RegExp(`\\b${attribute}\\b`));
      assert.equal(warnings().length, 1, warnings().join('\n'));
      assert.match(warnings()[0], new RegExp(`\\b${attribute}\\b`));
      assert.match(warnings()[0], says);

      await page.$eval(tag, (element, [name, text]) => element.setAttribute(name, text), [attribute, good]);
      await drawn(page);
      assert.equal(await page.locator(tag).locator('.problem').count(), 0, what);
      assert.notDeepEqual((await snapshot(page, tag)).state, before.state);
      assert.equal(warnings().length, 1);
      await page.close();
    }
  });
}

browserTest('D04: a bad attribute in the markup leaves the default and a sentence', async (site) => {
  const page = await site.open('<attn-two-key q="left" temperature="2"></attn-two-key>');
  const { state } = await page.$eval('attn-two-key', (element) => /** @type {any} */ (element).toJSON());
  assert.deepEqual(state.q, [1, 0]);
  assert.equal(state.temperature, 2);
  assert.match(String(await page.locator('attn-two-key').locator('.problem').textContent()), /q: .*left/);
  assert.equal(site.journal.texts('warning').length, 1);
});

browserTest('D04: bad properties, states and JSON never throw', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key><attn-mask></attn-mask>');
  await recordEvents(page, 'attn-error');
  await page.evaluate(() => {
    const twoKey = /** @type {any} */ (document.querySelector('attn-two-key'));
    const mask = /** @type {any} */ (document.querySelector('attn-mask'));
    twoKey.q = 'text';
    twoKey.state = { q: [0, 1], quiet: true };
    twoKey.state = null;
    mask.state = { n: 3, tokens: ['only one'] };
    mask.n = Number.NaN;
  });
  assert.ok((await eventsOf(page, 'attn-error')).length >= 4);
  assert.deepEqual(await page.$eval('attn-two-key', (element) => /** @type {any} */ (element).state.q), [1, 0]);
  assert.equal(await page.locator('.problem').count(), 2);
});

browserTest('E08: as many labels as keys are expected, and the sentence says both counts', async (site) => {
  const page = await site.open('<attn-mask n="3" tokens="the,cat"></attn-mask>');
  assert.match(String(await page.locator('attn-mask').locator('.problem').textContent()), /tokens.*3.*2/);
});

browserTest('D04: the sentence speaks the language of the page', async (site) => {
  const page = await site.open('<attn-two-key q="左"></attn-two-key>', { lang: 'zh-CN' });
  assert.match(await visibleText(page, 'attn-two-key'), /\p{Script=Han}{4}/u);
  assert.match(String(await page.locator('attn-two-key').locator('.problem').textContent()), /\p{Script=Han}{2}/u);
});
