import assert from 'node:assert/strict';
import { browserTest } from './support/page.js';

for (const entry of ['index.js', 'attn-widgets.js']) {
  browserTest(`the relaxed variant runs in Chromium, from ${entry}, and is near the reference`, async (site) => {
    const page = await site.open('', { script: null });
    const { info, error } = await page.evaluate(async (address) => {
      const { loadEngine } = await import(/** @type {any} */ (address));
      const engine = await loadEngine({ variant: 'relaxed' });
      const tensor = (/** @type {number} */ phase) => ({ data: Float32Array.from({ length: 90 * 64 }, (_, i) => Math.sin(phase + i * i)), shape: [90, 64] });
      const [q, k, v] = [tensor(1), tensor(2), tensor(3)];
      const [got, want] = [engine.attention(q, k, v), engine.reference.attention(q, k, v)].map(({ output }) => output.data);
      return { info: engine.info, error: got.reduce((/** @type {number} */ most, /** @type {number} */ x, /** @type {number} */ i) => Math.max(most, Math.abs(x - want[i])), 0) };
    }, `/dist/${entry}`);
    assert.equal(info.variant, 'relaxed');
    assert.ok(error <= 1e-6, String(error));
  });
}
