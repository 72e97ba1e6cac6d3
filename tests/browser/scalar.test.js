import assert from 'node:assert/strict';
import { censusOf, installCensus } from './support/census.js';
import { resultOf } from './support/element.js';
import { assertNear } from './support/near.js';
import { browserTest } from './support/page.js';

const FIGURES = '<attn-two-key q="0.7,-1.3"></attn-two-key><attn-mask n="7" mask="window" window="3" causal scores="random" seed="3"></attn-mask>';

/** @param {import('playwright-core').Page} page */
const info = (page) => page.evaluate(async () => (await (await import(/** @type {any} */ ('/dist/index.js'))).loadEngine()).info);

browserTest('B10: where SIMD is refused the scalar build runs, is all that is compiled, and gives the same numbers', async (site) => {
  const withSimd = await site.open(FIGURES);
  const simd = await info(withSimd);
  assert.deepEqual({ variant: simd.variant, simd: simd.simd }, { variant: 'simd', simd: true });
  assert.equal(site.journal.requestsFor(/scalar/).length, 0, 'the scalar build is not downloaded');
  const expected = [await resultOf(withSimd, 'attn-two-key'), await resultOf(withSimd, 'attn-mask')];

  const without = await site.open(FIGURES, { before: async (page) => {
    await installCensus(page);
    await page.addInitScript(() => { WebAssembly.validate = () => false; });
  } });
  const scalar = await info(without);
  assert.deepEqual({ variant: scalar.variant, simd: scalar.simd }, { variant: 'scalar', simd: false });
  assert.equal((await censusOf(without)).compiled, 1);
  for (const [index, tag] of ['attn-two-key', 'attn-mask'].entries()) {
    const result = await resultOf(without, tag);
    for (const key of ['scores', 'weights', 'output']) assertNear(result[key], expected[index][key]);
  }
});
