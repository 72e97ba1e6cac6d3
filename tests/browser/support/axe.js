import assert from 'node:assert/strict';

/**
 * No violation of WCAG A and AA or of axe's best practices.
 * @param {import('playwright-core').Page} page
 * @param {string} where  for the message
 */
export async function assertAccessible(page, where) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.addScriptTag({ url: '/axe/axe.min.js' });
  const violations = await page.evaluate(async () => {
    const { axe } = /** @type {any} */ (window);
    const { violations: found } = await axe.run(document, { resultTypes: ['violations'] });
    return found.map((/** @type {any} */ { id, help, nodes }) => `${id}: ${help}\n${nodes.slice(0, 4).map((/** @type {any} */ node) => `  ${node.target.join(' ')}: ${node.html.slice(0, 160)}`).join('\n')}`);
  });
  assert.deepEqual(violations, [], where);
}
