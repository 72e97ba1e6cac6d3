// The one Chromium all tests of a process use. run.mjs starts one for the whole suite and names it in the environment;
// a test file that is run by itself starts its own. Tests of one file that want the same settings share a browser
// context (as one user's tabs do), since a context costs more than all else; who needs clean storage asks for its own.

import { after } from 'node:test';
import { chromium } from 'playwright-core';
import { ENDPOINT, launchOptions } from './chromium.js';

/** @type {Promise<import('playwright-core').Browser> | undefined} */
let browser;

const launch = async () => chromium.launch(launchOptions());

/** The browser, started or joined by the first test that asks; gone when the file's tests are done. */
export function sharedBrowser() {
  const endpoint = process.env[ENDPOINT];
  browser ??= endpoint ? chromium.connect(endpoint) : launch();
  return browser;
}

/** @typedef {import('playwright-core').BrowserContextOptions} ContextOptions */

/** @type {ContextOptions} */
const USUAL = { viewport: { width: 1000, height: 800 }, locale: 'en-US', colorScheme: 'light' };

/** @param {ContextOptions} options */
export async function newContext(options) {
  const context = await (await sharedBrowser()).newContext({ ...USUAL, ...options });
  context.setDefaultTimeout(20_000);
  return context;
}

/** @type {Map<string, ReturnType<typeof newContext>>} */
const contexts = new Map();

/** The context that tests of this file share. @param {ContextOptions} options */
export function sharedContext(options) {
  const key = JSON.stringify(options);
  const context = contexts.get(key) ?? newContext(options);
  contexts.set(key, context);
  return context;
}

after(async () => {
  await (await browser?.catch(() => undefined))?.close();
});
