import assert from 'node:assert/strict';
import { TAGS, drawn } from './support/element.js';
import { browserTest } from './support/page.js';

browserTest('the page is laid out once for all figures that change in a frame', async (site) => {
  const page = await site.open(TAGS.map((tag) => `<${tag}></${tag}>`.repeat(6)).join(''));
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const layouts = async () => (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'LayoutCount')?.value ?? NaN;
  await drawn(page);
  const before = await layouts();
  await page.$$eval(TAGS.join(','), (elements) => elements.forEach((element) => {
    Object.assign(element, element.localName === 'attn-two-key' ? { q: [-1, 2] } : { row: 3 });
  }));
  await drawn(page);
  const count = (await layouts()) - before;
  assert.ok(count >= 1 && count <= 4, `${count} layouts in four frames`);
});
