import assert from 'node:assert/strict';
import { drawn, visibleText } from './support/element.js';
import { browserTest } from './support/page.js';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The line that says how a number was made. @param {import('playwright-core').Page} page @param {string} tag */
async function explanation(page, tag) {
  await drawn(page);
  return String(await page.locator(`${tag} .explanation`).textContent()).replace(/\s+/g, ' ').trim();
}

/** A part of each element that has a number. */
const PARTS = [
  { tag: 'attn-two-key', part: 'weight:0', shows: /0\.670/ },
  { tag: 'attn-mask', part: 'weights:1:0', shows: /½/ },
];

for (const { tag, part: name, shows } of PARTS) {
  browserTest(`D15: a tap on a number of <${tag}> shows how it was made, a second one or one elsewhere hides it`, async (site) => {
    const page = await site.open(`<p id="elsewhere">Elsewhere.</p><${tag}></${tag}>`);
    const rest = await explanation(page, tag);
    const part = page.locator(`${tag} [data-part="${name}"]`);
    await part.tap();
    const shown = await explanation(page, tag);
    assert.notEqual(shown, rest);
    assert.match(shown, shows);
    await part.tap();
    assert.equal(await explanation(page, tag), rest);

    await part.tap();
    assert.equal(await explanation(page, tag), shown);
    await page.locator('#elsewhere').tap();
    assert.equal(await explanation(page, tag), rest);
  }, { context: phone });

  browserTest(`D15 E06: the keyboard's focus shows the same text as a tap on <${tag}>, and Escape hides it`, async (site) => {
    const page = await site.open(`<${tag}></${tag}>`);
    const rest = await explanation(page, tag);
    const part = page.locator(`${tag} [data-part="${name}"]`);
    await part.focus();
    const focused = await explanation(page, tag);
    assert.notEqual(focused, rest);
    await page.keyboard.press('Escape');
    assert.equal(await explanation(page, tag), rest);
    await part.evaluate((element) => /** @type {SVGElement} */ (element).blur());
    await part.hover();
    assert.equal(await explanation(page, tag), focused);
  });
}

browserTest('D15: on a phone no text of the two figures needs a mouse', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key><attn-mask></attn-mask>');
  for (const text of ['0.707', '67.0 %', '33.0 %', '1.340', '1.321']) assert.ok((await visibleText(page, 'attn-two-key')).includes(text), text);
  for (const text of ['½', '⅓']) assert.ok((await visibleText(page, 'attn-mask')).includes(text), text);
}, { context: phone });
