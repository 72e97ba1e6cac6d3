import assert from 'node:assert/strict';
import { stateOf, TAGS, visibleText } from './support/element.js';
import { browserTest } from './support/page.js';

const FIGURES = '<attn-two-key q="0.5,1"></attn-two-key><attn-mask n="4" mask="window"></attn-mask>';
// Names that are the same in every language.
const NAMES = /scaled_dot_product_attention|nn\.MultiheadAttention|ONNX Attention|PyTorch|Keras|JSON|softmax|attn_mask|key_padding_mask|cuDNN/g;
const han = /\p{Script=Han}/u;

browserTest('a page in English gets English, one in Chinese gets Chinese', async (site) => {
  const english = await site.open(FIGURES, { lang: 'en-GB' });
  const chinese = await site.open(FIGURES, { lang: 'zh' });
  for (const tag of TAGS) {
    assert.doesNotMatch(await visibleText(english, tag), han);
    assert.match(await visibleText(chinese, tag), han);
  }
  // Nothing was left untranslated: the words of the controls differ everywhere.
  for (const tag of TAGS) {
    const words = (await visibleText(english, tag)).match(/[A-Za-z]{4,}/g) ?? [];
    const left = (await visibleText(chinese, tag)).replace(NAMES, '').match(/[A-Za-z]{4,}/g) ?? [];
    assert.ok(words.length > 5);
    assert.deepEqual(left, []);
  }
});

browserTest('the nearest lang counts, and it can change while the reader works', async (site) => {
  const page = await site.open(`<div lang="zh-CN">${FIGURES}</div>`);
  await page.$eval('attn-two-key', (element) => { /** @type {any} */ (element).q = [-1, 2]; });
  assert.match(await visibleText(page, 'attn-two-key'), han);
  await page.$eval('attn-two-key', (element) => element.setAttribute('lang', 'en'));
  assert.doesNotMatch(await visibleText(page, 'attn-two-key'), han);
  assert.match(await visibleText(page, 'attn-mask'), han);
  await page.$eval('div', (element) => { element.lang = 'en'; });
  assert.doesNotMatch(await visibleText(page, 'attn-mask'), han);
  await page.$eval('attn-two-key', (element) => { /** @type {any} */ (element).lang = 'zh-CN'; });
  assert.match(await visibleText(page, 'attn-two-key'), han);
  assert.deepEqual((await stateOf(page, 'attn-two-key')).q, [-1, 2]);
});

for (const [lang, expected] of /** @type {const} */ ([['zh-Hans', true], ['zh-TW', true], ['fr', false]])) {
  browserTest(`a page in ${lang} gets ${expected ? 'Chinese' : 'English'}`, async (site) => {
    const page = await site.open('<attn-two-key></attn-two-key>', { lang });
    assert.equal(han.test(await visibleText(page, 'attn-two-key')), expected);
  });
}

browserTest('a page that names no language gets the one of the browser', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>', { before: (fresh) => fresh.addInitScript(() => {
    new MutationObserver(() => document.documentElement?.removeAttribute('lang')).observe(document, { childList: true, subtree: true });
  }) });
  assert.match(await visibleText(page, 'attn-two-key'), han);
}, { context: { locale: 'zh-CN' } });

browserTest('the numbers are the same in both languages', async (site) => {
  const page = await site.open(`<div lang="en">${FIGURES}</div><div lang="zh-CN">${FIGURES}</div>`);
  const numbers = async (/** @type {string} */ selector) => (await visibleText(page, selector)).match(/\d+\.\d{2,}/g);
  for (const tag of TAGS) assert.deepEqual(await numbers(`[lang="zh-CN"] ${tag}`), await numbers(`[lang="en"] ${tag}`));
});
