import assert from 'node:assert/strict';
import { resultOf, visibleText } from './support/element.js';
import { assertNear } from './support/near.js';
import { browserTest } from './support/page.js';

const EXAMPLES = [
  { q: [1, 0], scores: ['0.707', '0.000'], weights: ['67.0 %', '33.0 %'], output: ['1.340', '1.321'], exact: [0.669_761_549, 0.330_238_451] },
  { q: [0, 0], scores: ['0.000', '0.000'], weights: ['50.0 %', '50.0 %'], output: ['1.000', '2.000'], exact: [0.5, 0.5] },
  { q: [0, 1], scores: ['0.000', '0.707'], weights: ['33.0 %', '67.0 %'], output: ['0.660', '2.679'], exact: [0.330_238_451, 0.669_761_549] },
];

for (const { q, scores, weights, output, exact } of EXAMPLES) {
  browserTest(`q = [${q}] shows ${scores}, ${weights} and [${output.join(', ')}]`, async (site) => {
    const page = await site.open(`<attn-two-key q="${q}"></attn-two-key>`);
    const text = await visibleText(page, 'attn-two-key');
    for (const shown of [...scores, ...weights, ...output]) assert.ok(text.includes(shown), `${shown} in ${text}`);
    const result = await resultOf(page, 'attn-two-key');
    assertNear(result.weights, exact);
    assertNear(result.scores, q.map((value) => value / Math.SQRT2));
    assertNear(result.output, [2 * exact[0], 4 * exact[1]], 2e-6);
  });
}

browserTest('G07: the numbers shown are the result, rounded only for display, the same wherever they stand', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  for (const q of [[0.37, -1.91], [-2.55, 2.05], [3, -3], [0.001, 0]]) {
    await page.$eval('attn-two-key', (element, query) => { /** @type {any} */ (element).q = query; }, q);
    const { scores, weights, output } = await resultOf(page, 'attn-two-key');
    const text = await visibleText(page, 'attn-two-key');
    const shown = (/** @type {number} */ value) => value.toFixed(3).replace(/^-(?=0\.000$)/, '').replace('-', '−');
    for (const value of [...scores, ...weights, ...output]) assert.ok(text.includes(shown(value)), `${shown(value)} in ${text}`);
    const percents = (text.match(/\d+\.\d %/g) ?? []).map((percent) => Number(percent.slice(0, -2)));
    assert.ok(percents.length >= 2);
    assert.ok(percents.some((one, at) => at > 0 && Math.abs(one + percents[at - 1] - 100) < 1e-9), `two neighbours of ${percents} add to 100`);
  }
});

browserTest('G06: no shown number is a negative zero', async (site) => {
  const page = await site.open('<attn-two-key q="-0.0001,0"></attn-two-key>');
  for (const q of [[-0.0001, 0], [-0, -0], [0, -0.0004]]) {
    await page.$eval('attn-two-key', (element, query) => { /** @type {any} */ (element).q = query; }, q);
    assert.doesNotMatch(await visibleText(page, 'attn-two-key'), /[-−]0(\.0+)?(?![\d.])/);
  }
});

browserTest('the output lies on the segment between the values, moves only along it, and only q moves among the keys', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  for (const q of [[1, 0], [0, 1], [3, 3], [-3, 2], [0.5, -2.5]]) {
    await page.$eval('attn-two-key', (element, query) => { /** @type {any} */ (element).q = query; }, q);
    const { output: [x, y], weights: [first, second] } = await resultOf(page, 'attn-two-key');
    assertNear(first + second, 1);
    assertNear(x / 2 + y / 4, 1, 2e-6);
  }
});

browserTest('the shown example can be redone from the shown digits', async (site) => {
  const page = await site.open('<attn-two-key></attn-two-key>');
  const formula = String(await page.locator('attn-two-key .explanation').textContent()).replace(/\s+/g, '').replace(/−/g, '-');
  const match = /O=(0\.\d+)·?[[(](\d+),?(\d+)[\])]\+(0\.\d+)·?[[(](\d+),?(\d+)[\])]=[[(]([\d.]+),([\d.]+)[\])]/.exec(formula);
  assert.ok(match, formula);
  const [w1, a, b, w2, c, d, x, y] = match.slice(1).map(Number);
  // Each weight is off by at most half of its last digit, and so is the result.
  assertNear([w1 * a + w2 * c, w1 * b + w2 * d], [x, y], 0.0005 * (Math.max(a + c, b + d) + 1));
  assert.deepEqual([w1, w2, x, y], [0.67, 0.33, 1.34, 1.321]);
});

browserTest('more keys, equal keys and a masked key are computed and shown', async (site) => {
  const page = await site.open(`
    <attn-two-key id="three" keys="1,0; -0.5,1; -0.5,-1" values="2,0; 0,4; -2,-1"></attn-two-key>
    <attn-two-key id="equal" q="2,1" keys="1,0; 1,0" values="2,0; 0,4"></attn-two-key>
    <attn-two-key id="masked" allow-keys="1,0"></attn-two-key>`);
  assert.equal((await resultOf(page, '#three')).weights.length, 3);
  assertNear((await resultOf(page, '#equal')).weights, [0.5, 0.5]);
  assert.match(await visibleText(page, '#equal'), /50\.0 %/);
  const { scores, weights, output } = await resultOf(page, '#masked');
  assertNear(scores, [Math.SQRT1_2, -Infinity]);
  assertNear([weights, output], [[1, 0], [2, 0]], 0);
  assert.match(await visibleText(page, '#masked'), /−∞/);
});

browserTest('temperature sharpens and flattens, and the slider appears only where it is given', async (site) => {
  const page = await site.open('<attn-two-key id="plain"></attn-two-key><attn-two-key id="warm" temperature="1"></attn-two-key>');
  assert.equal(await page.locator('#plain').getByRole('slider', { name: /temperature/i }).count(), 0);
  const slider = page.locator('#warm').getByRole('slider', { name: /temperature/i });
  await slider.waitFor();
  let before = 2;
  for (const temperature of [0.25, 0.5, 1, 2]) {
    await page.$eval('#warm', (element, value) => { /** @type {any} */ (element).temperature = value; }, temperature);
    const [weight] = (await resultOf(page, '#warm')).weights;
    assertNear(weight, 1 / (1 + Math.exp(-1 / Math.SQRT2 / temperature)), 1e-6);
    assert.ok(weight < before);
    before = weight;
  }
});

browserTest('G10: temperature 0 is the limit: all weight on the largest score, equal parts on ties', async (site) => {
  const page = await site.open('<attn-two-key temperature="0"></attn-two-key>');
  assertNear((await resultOf(page, 'attn-two-key')).weights, [1, 0], 0);
  for (const [q, weights] of [[[0, 0], [0.5, 0.5]], [[-2, 1], [0, 1]], [[2, 2], [0.5, 0.5]]]) {
    await page.$eval('attn-two-key', (element, query) => { /** @type {any} */ (element).q = query; }, q);
    assertNear((await resultOf(page, 'attn-two-key')).weights, weights, 0);
  }
});
