// Fingers: a real touch, as the browser sees it, with scrolling.

/**
 * Puts a finger down, moves it in steps and lifts it.
 * @param {import('playwright-core').Page} page
 * @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to
 */
export async function swipe(page, from, to) {
  const session = await page.context().newCDPSession(page);
  const send = (/** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type, /** @type {{ x: number, y: number }[]} */ touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', [from]);
  const steps = 12;
  for (let step = 1; step <= steps; step += 1) {
    await send('touchMove', [{ x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps }]);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  await send('touchEnd', []);
  await session.detach();
}

/** The middle of an element. @param {import('playwright-core').Locator} locator */
export async function middle(locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('expected an element that is shown');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
