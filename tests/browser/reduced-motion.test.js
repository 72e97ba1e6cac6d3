import assert from 'node:assert/strict';
import { drawn, TAGS } from './support/element.js';
import { browserTest } from './support/page.js';

/** Running animations and transitions of an element. @param {import('playwright-core').Page} page @param {string} tag */
const running = (page, tag) => page.$eval(tag, (element) => /** @type {ShadowRoot} */ (element.shadowRoot).getAnimations().filter((animation) => Number(animation.effect?.getComputedTiming().duration) > 0).length);
/** @param {import('playwright-core').Page} page @param {string} tag */
const picture = (page, tag) => page.$eval(tag, (element) => /** @type {any} */ (element).toSVG());

for (const [tag, change] of /** @type {const} */ ([['attn-two-key', { q: [-3, 2] }], ['attn-mask', { mask: 'none', row: 3 }]])) {
  browserTest(`D16: with reduced motion <${tag}> jumps`, async (site) => {
    const page = await site.open(`<${tag}></${tag}>`);
    await page.$eval(tag, (element, state) => { /** @type {any} */ (element).state = state; }, change);
    await drawn(page);
    assert.equal(await running(page, tag), 0);
    const at = await picture(page, tag);
    await page.waitForTimeout(400);
    assert.equal(await picture(page, tag), at);
  }, { context: { reducedMotion: 'reduce' } });

  browserTest(`D16: motion of <${tag}> is over after 250 ms`, async (site) => {
    const page = await site.open(`<${tag}></${tag}>`);
    await page.$eval(tag, (element, state) => { /** @type {any} */ (element).state = state; }, change);
    await drawn(page);
    const durations = await page.$eval(tag, (element) => /** @type {ShadowRoot} */ (element.shadowRoot).getAnimations().map((animation) => Number(animation.effect?.getComputedTiming().endTime)));
    assert.ok(durations.every((duration) => duration <= 250), String(durations));
  }, { context: { reducedMotion: 'no-preference' } });
}

browserTest('D16: nothing moves by itself', async (site) => {
  const page = await site.open(TAGS.map((tag) => `<${tag}></${tag}>`).join(''));
  const before = await Promise.all(TAGS.map((tag) => picture(page, tag)));
  await page.waitForTimeout(1000);
  assert.deepEqual(await Promise.all(TAGS.map((tag) => picture(page, tag))), before);
}, { context: { reducedMotion: 'no-preference' } });
