import assert from 'node:assert/strict';

/**
 * Numbers of any nesting agree within `tolerance`.
 * @param {unknown} actual @param {unknown} expected @param {number} [tolerance]
 */
export function assertNear(actual, expected, tolerance = 1e-6) {
  const compare = (/** @type {any} */ one, /** @type {any} */ other, /** @type {string} */ at) => {
    if (Array.isArray(other)) {
      assert.ok(Array.isArray(one) && one.length === other.length, `${at}: expected ${JSON.stringify(other)}, got ${JSON.stringify(one)}`);
      other.forEach((value, index) => compare(one[index], value, `${at}[${index}]`));
    } else {
      assert.ok(Object.is(one, other) || Math.abs(one - other) <= tolerance, `${at}: expected ${other}, got ${one}`);
    }
  };
  compare(actual, expected, 'value');
}
