import assert from 'node:assert/strict';
import { lowContrast, shownTheme } from './support/contrast.js';
import { drawn, TAGS } from './support/element.js';
import { browserTest } from './support/page.js';

// A page's own switch, as a style sheet of the page: `color-scheme` on the root.
const sheet = (/** @type {string} */ scheme) => `<link rel="stylesheet" href="${scheme}">`;

for (const system of /** @type {const} */ (['light', 'dark'])) {
  browserTest(`D11: on a ${system} system the element's attribute goes before the page's color-scheme, and that before the system`, async (site) => {
    const style = site.server.add({ body: ':root.light { color-scheme: light; } :root.dark { color-scheme: dark; background: #111; }', type: 'text/css' }, 'page.css');
    const page = await site.open(TAGS.map((tag) => `<${tag}></${tag}>`).join(''), { head: sheet(style) });
    for (const tag of TAGS) {
      for (const scheme of ['', 'light', 'dark']) {
        for (const attribute of ['', 'auto', 'light', 'dark']) {
          await page.evaluate(([name, pageScheme, theme]) => {
            document.documentElement.className = pageScheme;
            const element = /** @type {Element} */ (document.querySelector(name));
            if (theme) element.setAttribute('theme', theme);
            else element.removeAttribute('theme');
          }, [tag, scheme, attribute]);
          await drawn(page);
          const expected = (attribute === 'auto' ? '' : attribute) || scheme || system;
          assert.equal(await shownTheme(page, tag), expected, `<${tag} theme="${attribute}"> on a page with color-scheme "${scheme}"`);
        }
      }
    }
  }, { context: { colorScheme: system } });
}

browserTest('D11: the picture follows the system and the page at once, without a reload', async (site) => {
  const page = await site.open(TAGS.map((tag) => `<${tag}></${tag}>`).join(''));
  for (const scheme of /** @type {const} */ (['dark', 'light', 'dark'])) {
    await page.emulateMedia({ colorScheme: scheme });
    await drawn(page);
    for (const tag of TAGS) assert.equal(await shownTheme(page, tag), scheme);
  }
});

const STATES = [
  '<attn-two-key></attn-two-key>',
  '<attn-two-key q="-2,3" keys="1,0; 1,0; -1,2" values="2,0; 0,4; 1,1" temperature="0.5"></attn-two-key>',
  '<attn-mask></attn-mask>',
  '<attn-mask n="6" mask="padding" scores="random" compare></attn-mask>',
  '<attn-mask n="4" mask="own" allow="1000; 0000; 1110; 1111" empty-rows="nan"></attn-mask>',
];

for (const theme of ['light', 'dark']) {
  browserTest(`D11: contrast of every text is at least 4.5 on a ${theme} figure`, async (site) => {
    for (const markup of STATES) {
      const page = await site.open(markup.replace(/^<[\w-]+/, (start) => `${start} theme="${theme}"`));
      assert.deepEqual(await lowContrast(page, TAGS.join(',')), [], markup);
      await page.close();
    }
  });
}
