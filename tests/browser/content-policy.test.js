import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { drawn } from './support/element.js';
import { browserTest } from './support/page.js';
import { root } from './support/server.js';

const SCRIPTS = ['/dist/elements.js', '/dist/attn-widgets.js'];

for (const script of SCRIPTS) {
  browserTest(`B03: ${script} works under the strict policy, in use and in every state`, async (site) => {
    const page = await site.open('<attn-two-key></attn-two-key><attn-mask compare></attn-mask>', { script });
    const states = [
      ['attn-two-key', { q: [0, 0] }],
      ['attn-two-key', { temperature: 0 }],
      ...['none', 'causal', 'padding', 'window', 'block', 'graph', 'own'].map((mask) => ['attn-mask', { mask }]),
      ['attn-mask', { replaced: 1 }],
    ];
    for (const [tag, state] of states) {
      await page.$eval(String(tag), (element, values) => { /** @type {any} */ (element).state = values; }, state);
      await drawn(page);
    }
    await page.$eval('attn-two-key', async (element) => /** @type {any} */ (element).toPNG());
    await page.$eval('attn-two-key', (element) => element.setAttribute('q', 'x'));
    await drawn(page);
  });
}

browserTest('B03: element styles are adopted sheets', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  const { sheets, inline } = await page.$eval('attn-two-key', (element) => {
    const shadow = /** @type {ShadowRoot} */ (element.shadowRoot);
    return { sheets: shadow.adoptedStyleSheets.length, inline: shadow.querySelectorAll('style, link').length };
  });
  assert.ok(sheets > 0);
  assert.equal(inline, 0);
});

browserTest('B03: no file of dist makes code from text', async () => {
  const files = readdirSync(`${root}dist`, { recursive: true }).map(String).filter((file) => file.endsWith('.js'));
  assert.ok(files.length > 4);
  for (const file of files) {
    const text = readFileSync(`${root}dist/${file}`, 'utf8');
    assert.doesNotMatch(text, /\bnew Function\b|\bFunction\(|\beval\(/, file);
  }
});
