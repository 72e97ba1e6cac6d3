// browserTest: a test with a browser window of its own. It ends by looking at everything the page did on the way.

import assert from 'node:assert/strict';
import test from 'node:test';
import { newContext, sharedContext } from './browser.js';
import { allReady } from './element.js';
import { Journal } from './journal.js';
import { STRICT_POLICY, sharedServer } from './server.js';

/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} PageOptions
 * @property {string | null} [script]  address of the module that defines the elements; null for none
 * @property {string} [head]  markup for the head
 * @property {string} [lang]
 * @property {string} [dir]
 * @property {string | null} [policy]  content policy instead of the strict one; null for none
 * @property {boolean} [isolated]  from other origins, so that it may share memory with its workers
 * @property {string} [query]  begins with "?" or "#"
 * @property {boolean} [wait]  for the first picture of every element; true unless there is no script
 * @property {(page: Page) => Promise<unknown>} [before]  runs before the page is loaded
 */

export class Site {
  journal = new Journal();
  /** @type {Page[]} */ pages = [];

  /** @param {import('./server.js').Server} server @param {import('playwright-core').BrowserContext} context */
  constructor(server, context) {
    this.server = server;
    this.context = context;
  }

  /**
   * Opens a page that has `content` in its main part.
   * @param {string} content
   * @param {PageOptions} [options]
   */
  async open(content, options = {}) {
    const { policy = STRICT_POLICY, isolated, query = '', before, wait = options.script !== null } = options;
    const path = this.server.add({ body: documentOf(content, options), policy, isolated });
    const page = await this.visit(path + query, before);
    if (wait) await allReady(page);
    return page;
  }

  /**
   * Opens an address of the server.
   * @param {string} path
   * @param {(page: Page) => Promise<unknown>} [before]
   */
  async visit(path, before) {
    const page = await this.newPage();
    await before?.(page);
    await page.goto(new URL(path, this.server.origin).href);
    return page;
  }

  /** An empty page that the journal watches. */
  async newPage() {
    const page = await this.context.newPage();
    this.pages.push(page);
    await this.journal.watch(page);
    return page;
  }

  /** Serves a module of the test's own. Returns its address. @param {string} body */
  script(body) {
    return this.server.add({ body, type: 'text/javascript; charset=utf-8' }, 'script.js');
  }
}

/** @param {string} content @param {PageOptions} options */
export function documentOf(content, { script = '/dist/elements.js', head = '', lang = 'en', dir = 'ltr' }) {
  const module = script === null ? '' : `<script type="module" src="${script}"></script>`;
  return `<!doctype html>
<html lang="${lang}" dir="${dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fixture</title><link rel="icon" href="data:,">${head}${module}</head>
<body><main>${content}</main></body>
</html>`;
}

/**
 * @param {string} name
 * @param {(site: Site) => Promise<void>} body
 * @param {object} [options]
 * @param {import('./browser.js').ContextOptions} [options.context]
 * @param {boolean} [options.alone]  in a context of its own: nothing stored, nothing shared
 * @param {RegExp[]} [options.expectedErrors]
 */
export function browserTest(name, body, { context: contextOptions = {}, alone = false, expectedErrors = [] } = {}) {
  test(name, { timeout: 180_000 }, async () => {
    const [server, context] = await Promise.all([sharedServer(), alone ? newContext(contextOptions) : sharedContext(contextOptions)]);
    const site = new Site(server, context);
    try {
      await body(site);
      assert.deepEqual(site.journal.complaints(server.origin, expectedErrors), []);
    } finally {
      await (alone ? context.close() : Promise.all(site.pages.map((page) => page.close())));
    }
  });
}
