// How every number on a page is written. Rounding happens here and nowhere else: to the nearest of the binary
// value, as toFixed does. No shown number is "-0"; the minus is U+2212; the values themselves keep all digits.

import { refusal } from './refusal.js';

const MINUS = '\u2212';
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const VULGAR = new Map([
  ['1/2', '½'], ['1/3', '⅓'], ['2/3', '⅔'], ['1/4', '¼'], ['3/4', '¾'], ['1/5', '⅕'], ['2/5', '⅖'], ['3/5', '⅗'], ['4/5', '⅘'],
  ['1/6', '⅙'], ['5/6', '⅚'], ['1/7', '⅐'], ['1/8', '⅛'], ['3/8', '⅜'], ['5/8', '⅝'], ['7/8', '⅞'], ['1/9', '⅑'], ['1/10', '⅒'],
]);

/**
 * A computed number with a fixed count of decimals.
 * @param {number} value
 * @param {number} [digits]
 */
export function formatNumber(value, digits = 3) {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${MINUS}∞`;
  const size = Math.abs(value);
  const text = size >= 1e6 ? scientific(size, digits) : size.toFixed(digits);
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

/**
 * A number somebody gave (a coordinate, a slider): as short as it can be, at most `digits` decimals.
 * @param {number} value
 * @param {number} [digits]
 */
export function formatGiven(value, digits = 4) {
  const text = formatNumber(value, digits);
  return /^.?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

/**
 * Every digit: the shortest text that reads back as the same number.
 * @param {number} value
 */
export function formatExact(value) {
  if (!Number.isFinite(value)) return formatNumber(value);
  return String(value === 0 ? 0 : value).replace(/-/g, MINUS);
}

/**
 * @param {readonly number[]} vector
 * @param {(value: number) => string} [format]
 */
export function formatVector(vector, format = formatNumber) {
  return `[${vector.map((value) => format(value)).join(', ')}]`;
}

/**
 * A fraction such as ½ or 5/12 where the value is one within 1e-7 and the denominator is at most 12, else null.
 * @param {number} value
 */
export function formatFraction(value) {
  if (!(value >= 0 && value < 1 + 1e-7)) return null;
  for (let denominator = 1; denominator <= 12; denominator += 1) {
    const numerator = Math.round(value * denominator);
    if (Math.abs(value - numerator / denominator) < 1e-7) {
      if (denominator === 1) return String(numerator);
      const text = `${numerator}/${denominator}`;
      return VULGAR.get(text) ?? text;
    }
  }
  return null;
}

/**
 * Percents that add up to what their sum shows: every share is rounded down and the units left go to the largest
 * remainders, ties to the lower index.
 * @param {readonly number[]} shares
 * @param {number} [digits]
 */
export function formatPercents(shares, digits = 1) {
  const unit = 10 ** digits;
  if (!shares.every(Number.isFinite)) return shares.map((share) => `${formatNumber(share * 100, digits)} %`);
  return apportion(shares, 100 * unit).map((count) => `${(count / unit).toFixed(digits)} %`);
}

/**
 * Whole numbers in proportion to the shares, adding up to their sum times `units`, by largest remainder.
 * @param {readonly number[]} shares  each ≥ 0
 * @param {number} units
 */
export function apportion(shares, units) {
  const exact = shares.map((share) => share * units);
  const counts = exact.map(Math.floor);
  const total = Math.round(exact.reduce((sum, part) => sum + part, 0));
  const left = total - counts.reduce((sum, count) => sum + count, 0);
  const order = exact.map((_, index) => index).sort((a, b) => exact[b] - counts[b] - (exact[a] - counts[a]) || a - b);
  for (const index of order.slice(0, left)) counts[index] += 1;
  return counts;
}

/**
 * The number somebody typed. Decimal comma and decimal point both work; anything that could be meant in two ways is refused.
 * @param {string} typed
 * @returns {number}
 */
export function parseNumber(typed) {
  const text = typed.normalize('NFKC').trim().replace(MINUS, '-');
  if (text === '') throw refusal('common.numberMissing', {});
  if (!/^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(text)) throw refusal('common.numberUnclear', { got: typed.trim() });
  const value = Number(text.replace(',', '.'));
  if (!Number.isFinite(value)) throw refusal('common.numberUnclear', { got: typed.trim() });
  return value === 0 ? 0 : value;
}

/**
 * @param {number} size  ≥ 0
 * @param {number} digits
 */
function scientific(size, digits) {
  const [mantissa, exponent] = size.toExponential(digits).split('e');
  return `${mantissa}×10${[...String(Number(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]).join('')}`;
}
