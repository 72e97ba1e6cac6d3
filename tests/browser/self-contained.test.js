import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { allReady, resultOf } from './support/element.js';
import { assertNear } from './support/near.js';
import { browserTest, documentOf } from './support/page.js';
import { STRICT_POLICY, root } from './support/server.js';

const FIGURES = '<attn-two-key></attn-two-key><attn-mask></attn-mask>';
const CLASSIC = '<script src="/dist/attn-widgets.classic.js"></script>';

/** @param {import('playwright-core').Page} page */
async function showsTheExamples(page) {
  await allReady(page);
  assertNear((await resultOf(page, 'attn-two-key')).output, [1.339_523, 1.320_954], 1e-5);
  assertNear((await resultOf(page, 'attn-mask')).weights, [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]);
}

browserTest('C09: the self-contained module is one file that needs nothing beside it', async (site) => {
  const alone = site.script(readFileSync(`${root}dist/attn-widgets.js`, 'utf8'));
  const page = await site.open(FIGURES, { script: alone });
  await showsTheExamples(page);
  assert.deepEqual(site.journal.requests.filter((url) => !/^(data|blob):/.test(url) && !url.endsWith('.html')), [site.server.origin + alone]);
});

browserTest('C16: the self-contained module starts from a blob: address', async (site) => {
  const page = await site.open(FIGURES, { script: null, policy: STRICT_POLICY.replace("script-src 'self'", "script-src 'self' blob:") });
  await page.evaluate(async () => {
    const text = await (await fetch('/dist/attn-widgets.js')).text();
    await import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
  });
  await showsTheExamples(page);
});

browserTest('B13: the classic script is one file and gives the global AttnWidgets', async (site) => {
  const page = await site.open(FIGURES, { script: null, head: CLASSIC });
  await showsTheExamples(page);
  const exported = await page.evaluate(() => Object.keys(/** @type {any} */ (window).AttnWidgets));
  for (const name of ['loadEngine', 'AttnTwoKey', 'AttnMask']) assert.ok(exported.includes(name), `${name} is missing in ${exported}`);
  assert.equal(site.journal.requestsFor(/\/dist\//).length, 1);
});

browserTest('B13: the classic script works in a page opened from disk', async (site) => {
  const folder = mkdtempSync(join(tmpdir(), 'attn-'));
  try {
    copyFileSync(`${root}dist/attn-widgets.classic.js`, join(folder, 'attn-widgets.classic.js'));
    writeFileSync(join(folder, 'page.html'), documentOf(FIGURES, { script: null, head: '<script src="attn-widgets.classic.js"></script>' }));
    const page = await site.newPage();
    await page.goto(pathToFileURL(join(folder, 'page.html')).href);
    await showsTheExamples(page);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

browserTest('C08: the classic script touches neither an AMD loader nor a CommonJS module around it', async (site) => {
  const loaders = site.script(`
    window.defined = 0;
    window.define = () => { window.defined += 1; };
    window.define.amd = {};
    window.exports = {};
    window.module = { exports: window.exports };
    window.require = (name) => { throw new Error('asked for ' + name); };`);
  const page = await site.open(FIGURES, { script: null, head: `<script src="${loaders}"></script>${CLASSIC}` });
  await showsTheExamples(page);
  const touched = await page.evaluate(() => {
    const { defined, module, exports } = /** @type {any} */ (window);
    return { defined, replaced: module.exports !== exports, filled: Object.keys(exports).length };
  });
  assert.deepEqual(touched, { defined: 0, replaced: false, filled: 0 });
});

browserTest('B17: a global process that looks like Node changes nothing', async (site) => {
  const node = site.script("window.process = { versions: { node: '20.0.0', electron: '30.0.0' }, type: 'renderer' };");
  const page = await site.open(FIGURES, { head: `<script src="${node}"></script>` });
  await showsTheExamples(page);
});
