/** @typedef {{ shape: readonly number[], data: ArrayLike<number> }} Values */
/** |got − want| ≤ atol + rtol·|want| @typedef {{ rtol: number, atol: number }} Tolerance */

/**
 * For calls in float32 of cases whose numbers are in float64 to twelve digits. An input rounded to float32 is off by
 * 2⁻²⁴ ≈ 6e-8 of itself, a score of a few units by some 1e-6, a weight by as much of itself.
 * @type {Tolerance}
 */
export const float32 = { rtol: 1e-5, atol: 2e-6 };

/** For calls of the float64 reference against the numbers of another float64 program. @type {Tolerance} */
export const float64 = { rtol: 1e-11, atol: 1e-12 };

/**
 * Throws unless shapes are equal and all values within the tolerance; NaN and infinities have to be met exactly.
 * @param {string} name @param {Values} got @param {Values} wanted @param {Tolerance} tolerance
 */
export function requireClose(name, got, wanted, { rtol, atol }) {
  if (String(got.shape) !== String(wanted.shape)) throw new Error(`${name}: expected shape [${wanted.shape}], got [${got.shape}]`);
  for (let i = 0; i < wanted.data.length; i++) {
    const [value, want] = [Number(got.data[i]), wanted.data[i]];
    const near = value === want || Object.is(value, want) || Math.abs(value - want) <= atol + rtol * Math.abs(want);
    if (!near) throw new Error(`${name}: expected ${want} at ${i} of [${wanted.shape}], got ${value}`);
  }
}
