// How a reader uses attn-mask.

import { drawn } from './element.js';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page @param {string} name */
export const preset = (page, name) => page.locator('attn-mask').getByRole('radiogroup', { name: 'Mask', exact: true }).getByRole('radio', { name, exact: true });

/** The cell in row `query` and column `key`, from 1, of a matrix. @param {Page} page @param {string} matrix @param {number} query @param {number} key */
export const cell = (page, matrix, query, key) => page.locator(`attn-mask [data-part="${matrix}:${query - 1}:${key - 1}"]`);

/** The texts of a matrix, row by row. @param {Page} page @param {string} matrix @returns {Promise<string[][]>} */
export async function matrixTexts(page, matrix) {
  await drawn(page);
  return page.$eval('attn-mask', (element, name) => {
    /** @type {string[][]} */
    const rows = [];
    for (const one of /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll(`[role=gridcell][data-part^="${name}:"]`)) {
      const [, row, column] = /** @type {string} */ (one.getAttribute('data-part')).split(':').map(Number);
      (rows[row] ??= [])[column] = [...one.querySelectorAll('text')].map((text) => text.textContent?.trim()).join(' ');
    }
    return rows;
  }, matrix);
}

/** Opens what is behind "More". @param {Page} page */
export async function openMore(page) {
  const more = page.locator('attn-mask details.more');
  if (await more.getAttribute('open') === null) await more.locator('summary').click();
}

/** `110` and the like. @param {boolean[][]} allow */
export const bits = (allow) => allow.map((row) => row.map(Number).join(''));
