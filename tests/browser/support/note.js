import { allReady } from './element.js';

/** The content policy of the built pages is in their markup; the server adds nothing. */

/**
 * Opens a page of the built note.
 * @param {import('./page.js').Site} site
 * @param {{ page?: string, under?: string, before?: (page: import('playwright-core').Page) => Promise<unknown> }} [options]
 */
export async function openNote(site, { page: name = 'index.html', under = '/note/', before } = {}) {
  site.server.mount(under, 'build/note');
  const page = await site.visit(under + name, before);
  await allReady(page);
  return page;
}

/** The ids of the sections in the contents. @param {import('playwright-core').Page} page */
export const sectionIds = (page) => page.$$eval('[data-section]', (entries) => entries.map((entry) => /** @type {HTMLElement} */ (entry).dataset.section ?? ''));
