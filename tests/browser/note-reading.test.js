import assert from 'node:assert/strict';
import { openNote, sectionIds } from './support/note.js';
import { browserTest } from './support/page.js';

/** Sections marked as read. @param {import('playwright-core').Page} page */
const read = (page) => page.$$eval('[data-section]', (entries) => entries.filter((entry) => {
  const mark = entry.querySelector('.read');
  return mark && getComputedStyle(mark).display !== 'none' && getComputedStyle(mark).visibility !== 'hidden';
}).map((entry) => /** @type {HTMLElement} */ (entry).dataset.section));
/** @param {import('playwright-core').Page} page @param {string} id */
const readToTheEnd = async (page, id) => {
  await page.locator(`[data-end-of="${id}"]`).scrollIntoViewIfNeeded();
  await page.waitForTimeout(1400);
};
const forget = (/** @type {import('playwright-core').Page} */ page) => page.getByRole('button', { name: 'Forget' });

browserTest('sections that were read are remembered, and can be forgotten', async (site) => {
  const page = await openNote(site);
  const [first] = await sectionIds(page);
  assert.deepEqual(await read(page), []);
  assert.equal(await forget(page).isVisible(), false);
  await readToTheEnd(page, first);
  assert.deepEqual(await read(page), [first]);

  const again = await openNote(site);
  assert.deepEqual(await read(again), [first]);
  await forget(again).click();
  assert.deepEqual(await read(again), []);
  assert.deepEqual(await read(await openNote(site)), []);
}, { alone: true });

browserTest('a section that was only passed is not marked as read', async (site) => {
  const page = await openNote(site);
  const ids = await sectionIds(page);
  await page.locator(`[data-end-of="${ids[0]}"]`).scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(1400);
  assert.deepEqual(await read(page), []);
}, { alone: true });

browserTest('where storage is refused nothing is missing and nothing is said', async (site) => {
  const page = await openNote(site, { before: (fresh) => fresh.addInitScript(() => {
    const refuse = () => { throw new DOMException('denied', 'SecurityError'); };
    Object.defineProperty(window, 'localStorage', { get: refuse });
    Object.defineProperty(window, 'sessionStorage', { get: refuse });
  }) });
  const [first] = await sectionIds(page);
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.getByRole('link', { name: '中文' }).click();
  await page.getByRole('link', { name: 'English' }).click();
  await readToTheEnd(page, first);
  assert.deepEqual(await read(page), [first]);
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.deepEqual(site.journal.messages, []);
}, { alone: true });

browserTest('the contents lead to the sections and say which one is being read', async (site) => {
  const page = await openNote(site);
  for (const id of await sectionIds(page)) {
    await page.locator(`[data-section="${id}"] a`).click();
    assert.equal(new URL(page.url()).hash, `#${id}`);
    await page.locator(`[data-section="${id}"] a[aria-current]`).waitFor();
    assert.equal(await page.locator('[data-section] a[aria-current]').count(), 1);
  }
});
