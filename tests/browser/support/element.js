// Small things tests do with elements.

/** @typedef {import('playwright-core').Page} Page */

export const TAGS = ['attn-two-key', 'attn-mask'];

/** Waits until every element of the page shows its first picture. @param {Page} page */
export function allReady(page) {
  return page.evaluate(async (tags) => {
    const elements = [...document.querySelectorAll(tags.join(','))];
    await Promise.all(elements.map((element) => customElements.whenDefined(element.localName)));
    await Promise.all(elements.map((element) => /** @type {any} */ (element).ready));
  }, TAGS);
}

/** Waits until what was done before is drawn. @param {Page} page */
export function drawn(page) {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

/** @param {Page} page @param {string} selector @param {string} name  of a property with JSON in it */
export async function property(page, selector, name) {
  await drawn(page);
  return page.$eval(selector, (element, key) => /** @type {any} */ (element)[key], name);
}

/** @param {Page} page @param {string} selector @returns {Promise<any>} */
export const stateOf = (page, selector) => property(page, selector, 'state');

/** @param {Page} page @param {string} selector @returns {Promise<any>} */
export const resultOf = (page, selector) => property(page, selector, 'result');

/**
 * All that a reader sees of an element, without what is for screen readers only.
 * @param {Page} page @param {string} selector
 */
export async function visibleText(page, selector) {
  await drawn(page);
  return page.$eval(selector, (element) => {
    /** @type {string[]} */
    const texts = [];
    const visit = (/** @type {Node} */ node) => {
      if (node instanceof Text) texts.push(node.data.trim());
      if (node instanceof Element && (node.matches('.unseen, style, script, title, desc') || getComputedStyle(node).display === 'none')) return;
      node.childNodes.forEach(visit);
    };
    visit(/** @type {ShadowRoot} */ (element.shadowRoot));
    return texts.filter(Boolean).join(' ').replaceAll('\u00a0', ' ');
  });
}

/**
 * Counts the events of a name at the document. The count is read with `eventsOf`.
 * @param {Page} page @param {string} name
 */
export function recordEvents(page, name) {
  return page.evaluate((type) => {
    const details = /** @type {any} */ (window);
    details.seen ??= {};
    details.seen[type] ??= [];
    document.addEventListener(type, (event) => {
      details.seen[type].push({ target: /** @type {Element} */ (event.target).localName, detail: JSON.parse(JSON.stringify(/** @type {CustomEvent} */ (event).detail)) });
    });
  }, name);
}

/** The events seen since the last call. @param {Page} page @param {string} name @returns {Promise<{ target: string, detail: any }[]>} */
export async function eventsOf(page, name) {
  await drawn(page);
  return page.evaluate((type) => /** @type {any} */ (window).seen[type].splice(0), name);
}
