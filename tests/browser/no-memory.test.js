import assert from 'node:assert/strict';
import { browserTest } from './support/page.js';

for (const tag of ['attn-two-key', 'attn-mask']) {
  browserTest(`B12: where the device has no memory for the engine, <${tag}> says so within 5 s`, async (site) => {
    const page = await site.open(`<${tag}>The numbers are in table 3.</${tag}>`, {
      wait: false,
      before: (fresh) => fresh.addInitScript(() => {
        WebAssembly.instantiate = () => Promise.reject(new RangeError('WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance'));
      }),
    });
    const problem = page.locator(tag).locator('.problem');
    await problem.waitFor({ timeout: 5000 });
    assert.match(String(await problem.textContent()), /Out of memory/);
    assert.ok(await page.getByText('The numbers are in table 3.').isVisible());
  });
}
