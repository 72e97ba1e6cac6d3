import assert from 'node:assert/strict';

/**
 * Nested arrays, typed arrays and numbers agree: NaN with NaN, infinities exactly, the rest within `tolerance` of
 * max(1, |expected|).
 * @param {any} actual @param {any} expected @param {number} [tolerance] @param {string} [at]
 */
export function assertClose(actual, expected, tolerance = 1e-6, at = 'value') {
  if (typeof expected === 'number') {
    const same = Object.is(actual, expected) || Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected));
    assert.ok(same, `${at}: expected ${expected}, got ${actual}`);
    return;
  }
  assert.equal(actual.length, expected.length, `${at}: expected ${expected.length} values, got ${actual.length}`);
  for (let i = 0; i < expected.length; i++) assertClose(actual[i], expected[i], tolerance, `${at}[${i}]`);
}
