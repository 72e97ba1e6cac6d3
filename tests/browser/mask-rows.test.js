import assert from 'node:assert/strict';
import { drawn, eventsOf, recordEvents, resultOf, stateOf, visibleText } from './support/element.js';
import { cell, matrixTexts, openMore } from './support/mask.js';
import { assertNear } from './support/near.js';
import { browserTest } from './support/page.js';

/** @param {import('playwright-core').Page} page */
async function sentence(page) {
  await drawn(page);
  return String(await page.locator('attn-mask .sentence').textContent()).replaceAll('\u00a0', ' ').trim();
}

browserTest('the stepper walks the rows, says each in words, and stops at both ends', async (site) => {
  const page = await site.open('<attn-mask></attn-mask>');
  await recordEvents(page, 'attn-change');
  const next = page.locator('attn-mask').getByRole('button', { name: 'next row' });
  assert.match(await sentence(page), /^query 1 may look at key 1 only.*: 1/i);
  await next.click();
  assert.match(await sentence(page), /^query 2 may look at keys 1 and 2: ½ and ½/i);
  assert.equal((await stateOf(page, 'attn-mask')).row, 2);
  await next.click();
  assert.match(await sentence(page), /^query 3 may look at keys 1 to 3: ⅓ each/i);
  await next.click({ force: true });
  assert.match(await sentence(page), /^query 3/i);
  assert.equal((await eventsOf(page, 'attn-change')).length, 2);
  await page.locator('attn-mask').getByRole('button', { name: 'previous row' }).click();
  assert.match(await sentence(page), /^query 2/i);
});

browserTest('the sentence of a row says what the row is: percents that add to 100 where they are no fractions', async (site) => {
  const page = await site.open('<attn-mask n="4" mask="none" scores="random" seed="5"></attn-mask>');
  const percents = ((await sentence(page)).match(/[\d.]+ %/g) ?? []).map((text) => Number(text.slice(0, -2)));
  assert.equal(percents.length, 4, await sentence(page));
  assertNear(percents.reduce((sum, value) => sum + value, 0), 100, 1e-9);
  const [weights] = (await resultOf(page, 'attn-mask')).weights;
  percents.forEach((percent, key) => assertNear(percent, 100 * weights[key], 0.1));
});

for (const [choice, label, weights, output, shown] of /** @type {const} */ ([
  ['zero', '0', [0, 0, 0], [0], ['0', '0', '0']],
  ['nan', 'NaN', [NaN, NaN, NaN], [NaN], ['NaN', 'NaN', 'NaN']],
  ['uniform', 'uniform', [1 / 3, 1 / 3, 1 / 3], [2], ['⅓', '⅓', '⅓']],
])) {
  browserTest(`A01: an empty row asks what to do, and ${choice} does it`, async (site) => {
    const page = await site.open(`<attn-mask mask="own" allow="100; 000; 111" empty-rows="${choice === 'zero' ? 'nan' : 'zero'}"></attn-mask>`);
    const choices = page.locator('attn-mask .empty-rows').getByRole('radiogroup', { name: 'Empty rows' });
    assert.match(await visibleText(page, 'attn-mask'), /query 2 would be 0\/0/);
    await choices.getByRole('radio', { name: label, exact: true }).check();
    const result = await resultOf(page, 'attn-mask');
    assertNear(result.weights[1], weights);
    assertNear(result.output[1], output);
    assertNear([result.weights[0], result.weights[2]], [[1, 0, 0], [1 / 3, 1 / 3, 1 / 3]]);
    assert.deepEqual((await matrixTexts(page, 'weights'))[1], shown);
    assert.match(await visibleText(page, 'attn-mask'), /PyTorch|JAX|Keras|ONNX/);
  });
}

browserTest('no empty row, no question', async (site) => {
  const page = await site.open('<attn-mask></attn-mask>');
  assert.equal(await page.locator('attn-mask .empty-rows').count(), 0);
});

browserTest('the compare switch shows that zeroing after the softmax loses weight, and that dividing by the sum repairs it', async (site) => {
  const page = await site.open('<attn-mask n="4" scores="random" seed="2"></attn-mask>');
  await openMore(page);
  await page.locator('attn-mask').getByRole('radio', { name: /softmax first/ }).check();
  const { weights, allow, compared } = await resultOf(page, 'attn-mask');
  for (const [i, row] of allow.entries()) {
    const all = row.every(Boolean);
    assertNear(compared.softmax[i].reduce((/** @type {number} */ sum, /** @type {number} */ value) => sum + value, 0), 1, 1e-6);
    row.forEach((/** @type {boolean} */ open, /** @type {number} */ j) => assertNear(compared.zeroed[i][j], open ? compared.softmax[i][j] : 0));
    assert.ok(all ? Math.abs(compared.rowSums[i] - 1) < 1e-6 : compared.rowSums[i] < 1 - 1e-6, `row ${i + 1} sums to ${compared.rowSums[i]}`);
    assertNear(compared.renormalised[i], weights[i], 1e-6);
  }
  const shown = await visibleText(page, 'attn-mask');
  assert.ok(shown.includes(compared.rowSums[0].toFixed(2)), `${compared.rowSums[0]} in ${shown}`);
  assert.equal((await matrixTexts(page, 'zeroed')).length, 4);
  assert.equal((await matrixTexts(page, 'renormalised')).length, 4);
});

browserTest('with zero scores and the causal mask the wrong order gives row sums ⅓, ⅔, 1', async (site) => {
  const page = await site.open('<attn-mask compare></attn-mask>');
  assertNear((await resultOf(page, 'attn-mask')).compared.rowSums, [1 / 3, 2 / 3, 1]);
  const text = await visibleText(page, 'attn-mask');
  for (const sum of ['⅓', '⅔']) assert.ok(text.includes(sum));
});

browserTest('true means allow or drop only changes the signs, never the numbers', async (site) => {
  const page = await site.open('<attn-mask></attn-mask>');
  const before = await resultOf(page, 'attn-mask');
  await openMore(page);
  await page.locator('attn-mask').getByRole('radio', { name: /1 = may look/ }).check();
  assert.deepEqual(await matrixTexts(page, 'mask'), [['1', '0', '0'], ['1', '1', '0'], ['1', '1', '1']]);
  await page.locator('attn-mask').getByRole('radio', { name: /1 = must not/ }).check();
  assert.deepEqual(await matrixTexts(page, 'mask'), [['0', '1', '1'], ['0', '0', '1'], ['0', '0', '0']]);
  assert.deepEqual(await resultOf(page, 'attn-mask'), before);
});

browserTest('another content in a masked token changes no output that may not look at it, to the last bit', async (site) => {
  const page = await site.open('<attn-mask n="4" scores="random" seed="4" row="2"></attn-mask>');
  const before = await resultOf(page, 'attn-mask');
  await openMore(page);
  await page.locator('attn-mask').getByRole('button', { name: /Change token 3/ }).click();
  const after = await resultOf(page, 'attn-mask');
  assert.deepEqual(after.output.slice(0, 2), before.output.slice(0, 2));
  assert.notDeepEqual(after.output[2], before.output[2]);
  assert.notDeepEqual(after.scores, before.scores);
  assert.match(await visibleText(page, 'attn-mask'), /Unchanged to the last bit: outputs 1 and 2\. Changed, because these queries may look at it: outputs 3 and 4\./);
  await page.locator('attn-mask').getByRole('button', { name: /Put token 3 back/ }).click();
  assert.deepEqual(await resultOf(page, 'attn-mask'), before);
});

browserTest('one output is not called outputs', async (site) => {
  const page = await site.open('<attn-mask n="3" row="2" replaced="3"></attn-mask><attn-mask n="2" row="1" replaced="2"></attn-mask>');
  for (const more of await page.locator('attn-mask summary', { hasText: 'more' }).all()) await more.click();
  assert.match(await visibleText(page, 'attn-mask'), /Unchanged to the last bit: outputs 1 and 2\. Changed, because this query may look at it: output 3\./);
  assert.match(await visibleText(page, 'attn-mask:nth-of-type(2)'), /Unchanged to the last bit: output 1\. Changed, because this query may look at it: output 2\./);
});

browserTest('a padded query yields an output all the same, and the figure says to leave it out', async (site) => {
  const page = await site.open('<attn-mask n="4" mask="padding" length="3" row="4"></attn-mask>');
  const { output, allow } = await resultOf(page, 'attn-mask');
  assert.deepEqual(allow[3], [true, true, true, false]);
  assertNear(output[3], [2]);
  assert.match(await sentence(page), /padding itself.*left out of any pooling/);
  assert.match(await visibleText(page, 'attn-mask'), /leave out/);
});

browserTest('E10: pointing at a cell lights up its row and its column', async (site) => {
  const page = await site.open('<attn-mask n="4" mask="none"></attn-mask>');
  await cell(page, 'weights', 3, 2).hover();
  await drawn(page);
  const lit = await page.$eval('attn-mask', (element) => [.../** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.axis-label.lit')].map((label) => label.textContent?.trim()));
  assert.ok(lit.some((label) => label?.includes('3')) && lit.some((label) => label?.includes('2')), String(lit));
  assert.match(await sentence(page), /^query 3/i);
});
