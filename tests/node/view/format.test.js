import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apportion, formatExact, formatFraction, formatGiven, formatNumber, formatPercents, formatVector, parseNumber } from '../../../web/view/format.js';

test('computed numbers have fixed decimals and never a negative zero', () => {
  assert.equal(formatNumber(Math.SQRT1_2), '0.707');
  assert.equal(formatNumber(-0.0001, 2), '0.00');
  assert.equal(formatNumber(-0.004, 2), '0.00');
  assert.equal(formatNumber(-0), '0.000');
  assert.equal(formatNumber(-1.5, 1), '\u22121.5');
  assert.equal(formatNumber(12345678, 2), '1.23×10⁷');
});

test('non-finite numbers have names', () => {
  assert.deepEqual([NaN, Infinity, -Infinity].map((value) => formatNumber(value)), ['NaN', '∞', '\u2212∞']);
});

test('given numbers are as short as they can be', () => {
  assert.deepEqual([2, 0.5, -0.25, 10, 100, 0, 1 / 3].map((value) => formatGiven(value)), ['2', '0.5', '\u22120.25', '10', '100', '0', '0.3333']);
  assert.equal(formatVector([2, 0], formatGiven), '[2, 0]');
  assert.equal(formatVector([1.3395230986533138, 1.3209538026933725]), '[1.340, 1.321]');
});

test('exact numbers read back as the same numbers', () => {
  for (const value of [0.6697615493266569, -1e-9, 1e21, 5e-324]) assert.equal(Number(formatExact(value).replaceAll('\u2212', '-')), value);
  assert.equal(formatExact(-0), '0');
});

test('fractions are named within 1e-7 and only then', () => {
  assert.deepEqual([1 / 2, 1 / 3, 2 / 3, 5 / 12, 0, 1, Math.fround(1 / 3)].map(formatFraction), ['½', '⅓', '⅔', '5/12', '0', '1', '⅓']);
  assert.deepEqual([0.333, 0.66976, NaN, -0.5].map(formatFraction), [null, null, null, null]);
});

test('percents add to 100 by largest remainder, ties to the lower index', () => {
  assert.deepEqual(formatPercents([0.6697615493266569, 0.3302384506733431]), ['67.0 %', '33.0 %']);
  assert.deepEqual(formatPercents([1 / 3, 1 / 3, 1 / 3]), ['33.4 %', '33.3 %', '33.3 %']);
  assert.deepEqual(formatPercents([1 / 6, 1 / 6, 2 / 3], 0), ['17 %', '17 %', '66 %']);
  assert.deepEqual(formatPercents([0.5, 0.25]), ['50.0 %', '25.0 %']);
  assert.deepEqual(formatPercents([0, 0]), ['0.0 %', '0.0 %']);
  assert.deepEqual(formatPercents([NaN, NaN]), ['NaN %', 'NaN %']);
});

test('random rows always apportion to the whole, and no share is off by a unit', () => {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let row = 0; row < 500; row += 1) {
    const raw = Array.from({ length: 1 + Math.floor(random() * 12) }, () => random() ** 4);
    const sum = raw.reduce((total, one) => total + one, 0);
    const shares = raw.map((one) => one / sum);
    const counts = apportion(shares, 1000);
    assert.equal(counts.reduce((total, one) => total + one, 0), 1000);
    counts.forEach((count, index) => assert.ok(Math.abs(count - shares[index] * 1000) < 1));
  }
});

test('typed numbers: comma and point both work', () => {
  for (const text of ['0,5', '0.5', ' ,5', '.5', '5e-1', '０．５']) assert.equal(parseNumber(text), 0.5);
  assert.equal(parseNumber('\u22123'), -3);
  assert.ok(Object.is(parseNumber('-0'), 0));
});

test('typed numbers: what could be meant in two ways, or is half typed, is refused with a sentence', () => {
  for (const text of ['1.234,5', '1,234.5', '-', '.', '1e', '1 000', 'abc', '1e999']) {
    assert.throws(() => parseNumber(text), (error) => error instanceof TypeError && error.message.includes(text));
  }
  assert.throws(() => parseNumber('  '), TypeError);
});
