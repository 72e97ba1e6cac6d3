import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abridged } from '../../../web/elements/mask/formulas.js';
import { schema } from '../../../web/elements/mask/schema.js';
import { rowSentence, weightText } from '../../../web/elements/mask/words.js';
import { why } from '../../../web/elements/mask/why.js';
import { translator } from '../../../web/locales/index.js';

/** @type {any} */
const defaults = Object.fromEntries(Object.entries(schema).map(([key, field]) => [key, field.default]));
const [en, zh] = [translator('en'), translator('zh-CN')];
const third = Math.fround(1 / 3);

/**
 * A picture with these weights; a key is open where it has any.
 * @param {(number | null)[][]} weights @param {object} [changes]
 * @returns {import('../../../web/elements/mask/words.js').Picture}
 */
const picture = (weights, changes = {}, text = en) => ({
  state: { ...defaults, ...changes }, text, result: /** @type {any} */ ({ weights, allow: weights.map((row) => row.map((weight) => weight !== null)) }),
});

test('the rows of the causal example in words', () => {
  const weights = [[1, null, null], [0.5, 0.5, null], [third, third, third]];
  assert.equal(rowSentence(picture(weights), 0), 'Query 1 may look at key 1 only, so all the weight goes there: 1.');
  assert.equal(rowSentence(picture(weights), 1), 'Query 2 may look at keys 1 and 2: ½ and ½.');
  assert.equal(rowSentence(picture(weights), 2), 'Query 3 may look at keys 1 to 3: ⅓ each.');
  assert.equal(rowSentence(picture(weights, {}, zh), 1), '查询 2 能看到键 1 和 2，权重为 ½ 和 ½。');
});

test('weights that are no fractions are percents that add to 100', () => {
  assert.equal(rowSentence(picture([[0.3088, null, 0.3402, 0.351]]), 0), 'Query 1 may look at keys 1, 3 and 4: 30.9 %, 34.0 % and 35.1 %.');
  assert.equal(rowSentence(picture([[0.1, 0.2, 0.41, 0.19, 0.1]]), 0), 'Query 1 may look at keys 1 to 5, most of all at key 3: 41.0 %.');
});

test('an empty row says what was chosen for it, a padded query that it must be left out', () => {
  assert.equal(rowSentence(picture([[null, null]]), 0), 'Query 1 may look at nothing: its weights and its output are 0.');
  assert.match(rowSentence(picture([[null, null]], { emptyRows: 'nan' }), 0), /NaN/);
  const padded = rowSentence(picture([[1, null], [1, null]], { mask: 'padding', length: 1 }), 1);
  assert.match(padded, /left out of any pooling/);
});

test('tokens stand beside the numbers, isolated from the direction around them', () => {
  assert.equal(rowSentence(picture([[1, null]], { tokens: ['<b', 'שלום'], queryTokens: ['x'] }), 0),
    'Query 1 “\u2068x\u2069” may look at key 1 “\u2068<b\u2069” only, so all the weight goes there: 1.');
});

test('a weight is a fraction where it is one', () => {
  assert.deepEqual([0.5, third, 1, 0, 0.309, NaN].map(weightText), ['½', '⅓', '1', '0', '0.309', 'NaN']);
});

test('why a cell is masked, by the mask that does it', () => {
  const weights = [[1, null], [1, 1]];
  assert.equal(why(picture(weights), 0, 1), 'key 2 comes after position 1');
  assert.equal(why(picture(weights, { mask: 'window', causal: true }), 0, 1), 'key 2 comes after position 1');
  assert.equal(why(picture(weights, { mask: 'window', window: 2 }), 1, 0), 'key 1 is 1 away from 2, less than 2');
});

test('a formula too long for the width loses repeated hidden terms first', () => {
  const hidden = (/** @type {string} */ term) => term === '−∞';
  assert.deepEqual(abridged(['a', 'b', 'c'], 320, '⋯', hidden), ['a', 'b', 'c']);
  assert.deepEqual(abridged(['−∞', '−∞', '−∞', 'a', 'b', '−∞'], 350, '⋯', hidden), ['−∞', '⋯', 'a', 'b', '−∞']);
  assert.deepEqual(abridged(['−∞', '−∞', '−∞', 'a', 'b', '−∞'], 320, '⋯', hidden), ['⋯', 'a', 'b', '⋯']);
  assert.deepEqual(abridged(['a', 'b', 'c', 'd', 'e', 'f'], 320, '⋯', hidden), ['a', 'b', '⋯', 'f']);
});
