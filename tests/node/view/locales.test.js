import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locales, matchLocale, translator } from '../../../web/locales/index.js';

const places = (text) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

test('every language has the same keys and the same places to fill in', () => {
  for (const [name, texts] of Object.entries(locales)) {
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(locales.en).sort(), name);
    for (const key of Object.keys(texts)) assert.deepEqual(places(texts[key]), places(locales.en[key]), `${name} ${key}`);
  }
});

test('a language tag finds its language, its sister, or English', () => {
  assert.deepEqual(['zh-CN', 'zh', 'zh-Hant-TW', 'EN-gb', 'fr', '', null].map(matchLocale), ['zh-CN', 'zh-CN', 'zh-CN', 'en', 'en', 'en', 'en']);
});

test('an unknown key is an error, not an empty label', () => {
  assert.throws(() => translator('en')('no.such'), RangeError);
  assert.equal(translator('en')('common.saved', { name: 'a.svg' }), 'Saved a.svg');
});
