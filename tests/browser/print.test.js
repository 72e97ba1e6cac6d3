import assert from 'node:assert/strict';
import { drawn, TAGS } from './support/element.js';
import { browserTest } from './support/page.js';

/** The width of an A4 page without its margins, CSS px. */
const PAPER = 718;

browserTest('D12: print shows the current numbers, without controls, and cuts nothing off', async (site) => {
  const page = await site.open('<attn-two-key q="0,1"></attn-two-key><attn-mask n="12" scores="random" mask="window"></attn-mask>');
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: PAPER, height: 1000 });
  await drawn(page);
  for (const tag of TAGS) {
    const element = page.locator(tag);
    const controls = element.locator('button, input, select, textarea, summary');
    assert.ok(await controls.count() > 3);
    for (const control of await controls.all()) assert.equal(await control.isVisible(), false, `<${tag}> prints ${await control.evaluate((one) => one.outerHTML)}`);
    const { right, parts } = await element.evaluate((host) => ({
      right: host.getBoundingClientRect().right,
      parts: [.../** @type {ShadowRoot} */ (host.shadowRoot).querySelectorAll('svg text')].map((text) => text.getBoundingClientRect().right),
    }));
    assert.ok(parts.length > 5 && parts.every((part) => part <= right + 1), `<${tag}> is cut off`);
  }
  await page.locator('attn-two-key').getByText('2.679').first().waitFor();
});

browserTest('D12: a page laid out for a wide window prints whole', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key><attn-mask n="8"></attn-mask>');
  await page.setViewportSize({ width: 1400, height: 1000 });
  await drawn(page);
  await page.emulateMedia({ media: 'print' });
  // Printing lays the page out anew without telling scripts in time: what is drawn must shrink with it.
  const wide = await page.evaluate(([tags, width]) => {
    document.body.style.width = `${width}px`;
    return [...document.querySelectorAll(String(tags))].map((host) => {
      const svg = /** @type {Element} */ (/** @type {ShadowRoot} */ (host.shadowRoot).querySelector('.figure > svg'));
      return { figure: svg.getBoundingClientRect().width, host: host.getBoundingClientRect().width };
    });
  }, /** @type {const} */ ([TAGS.join(','), PAPER]));
  for (const { figure, host } of wide) assert.ok(figure <= host, `${figure} px in ${host} px`);
  const pdf = await page.pdf({ format: 'A4' });
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
});
