// What a page did while a test looked: every request, console message and page error. A violation of the content
// policy is a console error too.

/** @typedef {import('playwright-core').Page} Page */

/** @typedef {{ type: string, text: string }} Message */

export class Journal {
  /** @type {string[]} */ requests = [];
  /** @type {Message[]} */ messages = [];
  /** @type {string[]} */ pageErrors = [];

  /** @param {Page} page  not loaded yet */
  async watch(page) {
    page.on('request', (request) => this.requests.push(request.url()));
    page.on('console', (message) => this.messages.push({ type: message.type(), text: message.text() }));
    page.on('pageerror', (error) => this.pageErrors.push(String(error.stack ?? error)));
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        console.error(`content policy: ${event.violatedDirective} refused ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`);
      });
    });
  }

  /** @param {string} type */
  texts(type) {
    return this.messages.filter((message) => message.type === type).map((message) => message.text);
  }

  /** @param {RegExp} pattern  of the address */
  requestsFor(pattern) {
    return this.requests.filter((url) => pattern.test(url));
  }

  /**
   * Sentences for everything that no page of this project may do.
   * @param {string} origin
   * @param {RegExp[]} expected  errors that a test provokes
   */
  complaints(origin, expected) {
    const own = (/** @type {string} */ url) => url.startsWith(`${origin}/`) || /^(data|blob|file|about):/.test(url);
    const unexpected = (/** @type {string} */ text) => !expected.some((pattern) => pattern.test(text));
    return [
      ...this.texts('error').filter(unexpected).map((text) => `console error: ${text}`),
      ...this.pageErrors.filter(unexpected).map((text) => `page error: ${text}`),
      ...this.requests.filter((url) => !own(url)).map((url) => `request to another origin: ${url}`),
    ];
  }
}
