import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputs, replaceToken, seeded } from '../../../web/elements/mask/inputs.js';
import { schema } from '../../../web/elements/mask/schema.js';
import { checkedSize, resized, sizeOf } from '../../../web/elements/mask/size.js';

/** @type {any} */
const defaults = Object.fromEntries(Object.entries(schema).map(([key, field]) => [key, field.default]));

test('counts that are left open follow from what has a length of its own', () => {
  assert.deepEqual(sizeOf(defaults), { queries: 3, keys: 3 });
  assert.deepEqual(sizeOf({ ...defaults, tokens: ['a', 'b'] }), { queries: 2, keys: 2 });
  assert.deepEqual(sizeOf({ ...defaults, scores: [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]] }), { queries: 2, keys: 5 });
  assert.deepEqual(sizeOf({ ...defaults, queries: 2, keys: 5 }), { queries: 2, keys: 5 });
  assert.deepEqual(sizeOf({ ...defaults, n: 7, keys: 4 }), { queries: 7, keys: 4 });
  assert.deepEqual(sizeOf({ ...defaults, allow: [[true]] }), { queries: 3, keys: 3 }, 'a mask that is not in use says nothing');
});

test('values of the wrong length are refused by name and number', () => {
  const refused = (/** @type {object} */ changes, /** @type {RegExp} */ message) => assert.throws(() => checkedSize({ ...defaults, ...changes }), { name: 'TypeError', message });
  refused({ n: 3, tokens: ['a', 'b'] }, /tokens: expected 3 .* got 2/);
  refused({ n: 3, scores: [[1, 2], [3, 4]] }, /scores: expected 3 rows of 3, .* got 2 rows of 2/);
  refused({ mask: 'own', allow: [[true]], n: 2 }, /allow: expected 2 rows of 2/);
  refused({ mask: 'graph', edges: [[1, 9]], n: 4 }, /edges: expected at most 4, .* got 9/);
});

test('attributes read back what they write', () => {
  /** @type {Record<string, [string, unknown]>} */
  const cases = {
    allow: ['100; 110; 111', [[true, false, false], [true, true, false], [true, true, true]]],
    edges: ['1-2,2-3', [[1, 2], [2, 3]]],
    scores: ['1,-0.5; 2,3', [[1, -0.5], [2, 3]]],
    values: ['1,2.5', [1, 2.5]],
    n: ['4', 4],
  };
  for (const [key, [text, value]] of Object.entries(cases)) {
    const field = schema[key];
    assert.deepEqual(field.fromText(text, key), value);
    assert.deepEqual(field.fromText(field.toText(value) ?? '', key), value);
  }
  assert.deepEqual(schema.allow.fromText('[[true,false],[1,0]]', 'allow'), [[true, false], [true, false]]);
  assert.equal(schema.scores.fromText(' random ', 'scores'), 'random');
});

test('malformed attributes are refused with a sentence', () => {
  const bad = { allow: ['10;1', '12;10', '', '[[1,0]', '1,x'], edges: ['1-', '1-2-3', '0-1', 'a-b', '1-13'], scores: ['1,2;3', 'NaN', 'big', '1,Infinity'], n: ['0', '13', '2.5', 'three'], mask: ['Causal'] };
  for (const [key, texts] of Object.entries(bad)) {
    for (const text of texts) assert.throws(() => schema[key].fromText(text, key), new RegExp(`^TypeError: ${key}`), `${key}="${text}"`);
  }
});

test('another number of tokens keeps what there is and grows by neutral values', () => {
  const next = resized({ ...defaults, n: 2, tokens: ['a', 'b'], scores: [[1, 2], [3, 4]], allow: [[true, false], [false, true]], edges: [[1, 2]], row: 2, replaced: 2 }, { queries: 3, keys: 3 });
  assert.deepEqual(next.tokens, ['a', 'b', '3']);
  assert.deepEqual(next.scores, [[1, 2, 0], [3, 4, 0], [0, 0, 0]]);
  assert.deepEqual(next.allow, [[true, false, true], [false, true, true], [true, true, true]]);
  assert.equal(next.n, 3);
  const less = resized({ ...defaults, n: 2, edges: [[1, 2]], row: 2, replaced: 2 }, { queries: 1, keys: 1 });
  assert.deepEqual([less.n, less.row, less.replaced, less.edges], [1, 1, null, []]);
  assert.doesNotThrow(() => checkedSize({ ...defaults, ...next }));
});

test('seeded inputs are the same on every machine', () => {
  const next = seeded(1);
  assert.deepEqual([next(), next()].map((value) => value.toFixed(6)), ['0.254148', '-0.994529']);
  const one = inputs({ scores: 'random', seed: 5, values: null }, { queries: 2, keys: 3 });
  assert.deepEqual(one, inputs({ scores: 'random', seed: 5, values: null }, { queries: 2, keys: 3 }));
  assert.notDeepEqual(one, inputs({ scores: 'random', seed: 6, values: null }, { queries: 2, keys: 3 }));
  assert.deepEqual(one.k, inputs({ scores: 'random', seed: 5, values: null }, { queries: 3, keys: 3 }).k);
});

test('given scores are the dot products of the inputs', () => {
  const { q, k, scale } = inputs({ scores: [[5, -1, 2]], seed: 1, values: [7, 8, 9] }, { queries: 1, keys: 3 });
  assert.equal(scale, 1);
  assert.deepEqual(k.map((key) => key.reduce((sum, x, at) => sum + x * q[0][at], 0)), [5, -1, 2]);
});

test('a replaced token changes its own key and value and nobody else’s', () => {
  const given = inputs({ scores: 'random', seed: 1, values: null }, { queries: 3, keys: 3 });
  const next = replaceToken(given, 2);
  assert.deepEqual([next.k[0], next.k[2], next.v[0], next.v[2]], [given.k[0], given.k[2], given.v[0], given.v[2]]);
  assert.notDeepEqual(next.k[1], given.k[1]);
  assert.notDeepEqual(next.v[1], given.v[1]);
  assert.equal(next.q, given.q);
});
