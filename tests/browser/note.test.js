import assert from 'node:assert/strict';
import { assertAccessible } from './support/axe.js';
import { drawn, resultOf, TAGS, visibleText } from './support/element.js';
import { assertNear } from './support/near.js';
import { openNote } from './support/note.js';
import { browserTest } from './support/page.js';

const han = /\p{Script=Han}/u;

browserTest('the note shows the worked example and the causal mask', async (site) => {
  const page = await openNote(site);
  const first = 'attn-two-key >> nth=0';
  for (const text of ['0.707', '67.0 %', '33.0 %']) await page.locator(first).getByText(text, { exact: true }).first().waitFor();
  assertNear((await resultOf(page, 'attn-two-key')).output, [1.339_523, 1.320_954], 1e-5);
  assert.match(await visibleText(page, 'attn-two-key'), /1\.340.*1\.321/);
  const causal = await page.$$eval('attn-mask', (elements) => elements.map((element) => /** @type {any} */ (element).result.weights));
  assertNear(causal[0], [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]);
  for (const text of ['½', '⅓']) assert.ok((await visibleText(page, 'attn-mask')).includes(text));
});

browserTest('every figure of the note and of the gallery has a picture, and only the two meant to be wrong have a problem', async (site) => {
  for (const name of ['index.html', 'gallery.html']) {
    const page = await openNote(site, { page: name });
    const found = await page.$$eval(TAGS.join(','), (elements) => elements.map((element) => ({
      result: Boolean(/** @type {any} */ (element).result),
      problem: element.shadowRoot?.querySelector('.problem')?.textContent?.trim() ?? '',
    })));
    assert.ok(found.length >= 2 && found.every(({ result }) => result));
    const problems = found.map(({ problem }) => problem).filter(Boolean);
    if (name === 'gallery.html') assert.equal(problems.length, 2, problems.join('\n'));
    else assert.deepEqual(problems, []);
    assert.equal(site.journal.texts('warning').length, problems.length);
    await page.close();
  }
});

browserTest('the language follows the browser', async (site) => {
  const page = await openNote(site);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN');
  assert.match(await page.locator('h1').innerText(), han);
  assert.match(await page.title(), han);
  for (const tag of TAGS) assert.match(await visibleText(page, tag), han);
}, { context: { locale: 'zh-CN' } });

browserTest('?lang= goes before the browser, and the switch changes text, title, figures and address at once', async (site) => {
  const page = await openNote(site, { page: 'index.html?lang=zh-CN#masks' });
  assert.match(await page.locator('h1').innerText(), han);
  const requests = site.journal.requests.length;
  await page.getByRole('link', { name: 'English' }).click();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
  for (const text of [await page.locator('h1').innerText(), await page.title(), await page.locator('main').innerText()]) assert.doesNotMatch(text, han);
  for (const tag of TAGS) assert.doesNotMatch(await visibleText(page, tag), han);
  assert.match(page.url(), /\?lang=en#masks$/);
  assert.equal(site.journal.requests.length, requests, 'no reload');

  const again = await openNote(site);
  assert.equal(await again.evaluate(() => document.documentElement.lang), 'en', 'the choice is remembered');
}, { context: { locale: 'fr-FR' }, alone: true });

browserTest('both languages have the same sections, figures and formulas', async (site) => {
  const page = await openNote(site);
  const inventory = (/** @type {string} */ lang) => page.evaluate((tag) => {
    document.documentElement.lang = tag;
    const seen = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)].filter((node) => node.getClientRects().length > 0).length;
    return { sections: seen('section'), headings: seen('h1, h2'), figures: seen('figure'), captions: seen('figcaption'), formulas: seen('main .formula math'), boxes: seen('[role=note]') };
  }, lang);
  const english = await inventory('en');
  assert.ok(english.sections >= 4 && english.figures >= 4);
  assert.deepEqual(await inventory('zh-CN'), english);
});

browserTest('the colours can be switched, are remembered, and the figures follow', async (site) => {
  const page = await openNote(site);
  const colours = async (/** @type {import('playwright-core').Page} */ one) => {
    await drawn(one);
    return one.evaluate(() => {
      const light = (/** @type {string} */ color) => {
        const [r, g, b] = (/** @type {RegExpMatchArray} */ (color.match(/[\d.]+/g))).map(Number);
        return r + g + b > 382 ? 'light' : 'dark';
      };
      const frame = /** @type {Element} */ (document.querySelector('attn-mask')?.shadowRoot?.querySelector('.frame'));
      return { page: light(getComputedStyle(document.body).color) === 'light' ? 'dark' : 'light', figure: light(getComputedStyle(frame).color) === 'light' ? 'dark' : 'light' };
    });
  };
  assert.deepEqual(await colours(page), { page: 'light', figure: 'light' });
  await page.getByRole('button', { name: 'Dark' }).click();
  assert.deepEqual(await colours(page), { page: 'dark', figure: 'dark' });
  assert.equal(await page.getByRole('button', { name: 'Dark' }).getAttribute('aria-pressed'), 'true');

  const again = await openNote(site);
  assert.deepEqual(await colours(again), { page: 'dark', figure: 'dark' });
  await again.getByRole('button', { name: 'Auto' }).click();
  assert.deepEqual(await colours(again), { page: 'light', figure: 'light' });
  await again.emulateMedia({ colorScheme: 'dark' });
  assert.deepEqual(await colours(again), { page: 'dark', figure: 'dark' });
}, { alone: true });

browserTest('C13: the note works under a sub-path, and no address in it begins with a slash', async (site) => {
  const page = await openNote(site, { under: '/a/b/' });
  assert.ok(site.journal.requests.length > 3);
  for (const url of site.journal.requests.filter((one) => !/^(data|blob):/.test(one))) assert.match(new URL(url).pathname, /^\/a\/b\//);
  const absolute = await page.$$eval('[href], [src]', (nodes) => nodes.map((node) => node.getAttribute('href') ?? node.getAttribute('src')).filter((address) => address?.startsWith('/')));
  assert.deepEqual(absolute, []);
  await page.getByRole('link', { name: /gallery/i }).click();
  await page.waitForURL(/\/a\/b\/gallery\.html/);
  await page.locator('attn-mask').first().waitFor();
});

browserTest('E03: with the network off after load the note goes on working', async (site) => {
  const page = await openNote(site);
  await site.context.setOffline(true);
  const requests = site.journal.requests.length;
  await page.getByRole('link', { name: '中文' }).click();
  await page.getByRole('button', { name: '深' }).click();
  await page.$eval('attn-two-key', (element) => { /** @type {any} */ (element).q = [0, 1]; });
  assert.match(await visibleText(page, 'attn-two-key'), /2\.679/);
  assert.equal(site.journal.requests.length, requests);
}, { alone: true });

browserTest('the note can be read without scripts, in every language', async (site) => {
  site.server.mount('/note/', 'build/note');
  const page = await site.visit('/note/index.html');
  for (const text of ['A figure you can move belongs here.', '这里是一幅可以拨动的图']) assert.ok(await page.getByText(text).first().isVisible(), text);
  for (const lang of ['en', 'zh-CN']) assert.ok((await page.locator(`main .prose[lang="${lang}"]`).first().innerText()).length > 100, lang);
}, { context: { javaScriptEnabled: false } });

browserTest('nothing of the note sticks out sideways from 320 to 1400 px, in either language', async (site) => {
  const page = await openNote(site);
  for (const lang of ['en', 'zh-CN']) {
    await page.evaluate((tag) => { document.documentElement.lang = tag; }, lang);
    for (const width of [320, 390, 600, 768, 1024, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      await drawn(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} px at ${width} px, ${lang}`);
    }
  }
});

for (const name of ['index.html', 'gallery.html']) {
  browserTest(`axe finds nothing wrong with ${name}, light and dark, in either language`, async (site) => {
    const page = await openNote(site, { page: `${name}?lang=en` });
    // The rules on colours do not depend on the language, nor those on names on the colours: two runs see all four.
    await assertAccessible(page, `${name}, light, English`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('link', { name: '中文' }).click();
    await drawn(page);
    await assertAccessible(page, `${name}, dark, Chinese`);
  });
}
