import { assertAccessible } from './support/axe.js';
import { drawn } from './support/element.js';
import { browserTest } from './support/page.js';

// Headings and landmarks around the figures are the fixture's, so that axe judges the elements in a sound page.
const PAGE = `<h1>Figures</h1>
  <attn-two-key></attn-two-key>
  <attn-two-key q="0,0" keys="1,0; -0.5,1; -0.5,-1" values="2,0; 0,4; -2,-1" temperature="0.5"></attn-two-key>
  <attn-mask></attn-mask>
  <attn-mask n="5" mask="own" allow="10000; 00000; 11100; 11110; 11111" scores="random" tokens="the,cat,sat,on,it" compare></attn-mask>`;

browserTest('axe finds nothing wrong with either element, light and dark, in either language', async (site) => {
  const style = site.server.add({ body: ':root { color-scheme: light dark; } body { background: Canvas; color: CanvasText; }', type: 'text/css' }, 'page.css');
  const page = await site.open(PAGE, { head: `<link rel="stylesheet" href="${style}">` });
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    for (const lang of ['en', 'zh-CN']) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate((tag) => { document.documentElement.lang = tag; }, lang);
      await drawn(page);
      await assertAccessible(page, `${colorScheme}, ${lang}`);
    }
  }
});

browserTest('axe finds nothing wrong with an element that has a menu open, a problem shown and a part focused', async (site) => {
  const page = await site.open('<h1>Figures</h1><attn-two-key q="x"></attn-two-key><attn-mask n="13"></attn-mask>');
  for (const tag of ['attn-two-key', 'attn-mask']) await page.locator(tag).getByText('Export', { exact: true }).click();
  await page.locator('attn-two-key [data-part][tabindex]').first().focus();
  await assertAccessible(page, 'in use');
});

browserTest('axe finds nothing wrong with a narrow page', async (site) => {
  const page = await site.open(PAGE);
  await assertAccessible(page, '360 px');
}, { context: { viewport: { width: 360, height: 800 } } });
