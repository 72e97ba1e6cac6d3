import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundToHalf } from './half.js';

/** The number of these bits. @param {number} bits */
function half(bits) {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -size : size;
}

test('every float16 number stays itself, and the midpoint between two goes to the even one', () => {
  for (let bits = 0; bits < 0x7bff; bits++) {
    const [value, next] = [half(bits), half(bits + 1)];
    for (const sign of [1, -1]) {
      assert.equal(roundToHalf(sign * value), sign * value);
      assert.equal(roundToHalf((sign * (value + next)) / 2), sign * (bits % 2 === 0 ? value : next));
      assert.equal(roundToHalf(sign * (value * 0.51 + next * 0.49)), sign * value);
    }
  }
});

test('beyond the largest come infinities', () => {
  assert.equal(roundToHalf(65504), 65504);
  assert.equal(roundToHalf(65519), 65504);
  assert.equal(roundToHalf(65520), Infinity);
  assert.equal(roundToHalf(-1e9), -Infinity);
  assert.equal(roundToHalf(Infinity), Infinity);
  assert.ok(Number.isNaN(roundToHalf(NaN)));
});
