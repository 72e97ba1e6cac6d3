import assert from 'node:assert/strict';
import { loadEngine } from 'attn-widgets';
import { browserTest } from './support/page.js';

/**
 * Results of many kinds of calls as one list of bits. Runs in Node and, as text, in the page.
 * @param {typeof loadEngine} load @param {'simd' | 'scalar'} variant
 */
async function bits(load, variant) {
  const engine = await load({ variant });
  let state = 1;
  const tensor = (/** @type {number[]} */ ...shape) => {
    const data = new Float32Array(shape.reduce((a, b) => a * b, 1));
    for (let i = 0; i < data.length; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      data[i] = state / 2 ** 29 - 4;
    }
    return { data, shape };
  };
  const [q, k, v] = [tensor(4, 37, 19), tensor(2, 53, 19), tensor(2, 53, 11)];
  const settings = [{}, { causal: true }, { window: 7 }, { softcap: 2 }, { scale: 30 }, { tile: { queries: 5, keys: 16 } }];
  const results = settings.flatMap((options) => {
    const { output, weights, logSumExp } = engine.attention(q, k, v, { ...options, returnWeights: true, returnLogSumExp: true });
    return [output, weights, logSumExp];
  });
  results.push(engine.scores(q, k), engine.softmax(tensor(20, 33)), engine.linearAttention(q, k, v).output);
  return results.flatMap(({ data }) => [...new Uint32Array(data.buffer)]);
}

for (const variant of /** @type {const} */ (['simd', 'scalar'])) {
  browserTest(`F07: Chromium gives the bits of Node (${variant})`, async (site) => {
    const page = await site.open('', { script: null });
    const module = site.script(`import { loadEngine } from '/dist/index.js'; ${bits} export const result = bits(loadEngine, '${variant}');`);
    const inPage = await page.evaluate(async (address) => (await import(/** @type {any} */ (address))).result, module);
    const here = await bits(loadEngine, variant);
    assert.equal(inPage.length, here.length);
    assert.equal(here.findIndex((value, i) => value !== inPage[i]), -1, 'the first number that differs');
  });
}
