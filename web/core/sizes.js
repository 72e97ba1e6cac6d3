/** Exact arithmetic on sizes. A JavaScript number counts exactly up to 2^53; past that BigInt takes over, never rounding. */

/** The largest size of one axis: what a 32-bit signed index can reach. */
export const largestSize = 2 ** 31 - 1;

/** The most bytes of the module's memory (MAXIMUM_MEMORY in cpp/bindings): no input can be larger. */
export const memoryLimit = 2 ** 28;

/** The number of values of a shape, or Infinity where a number could not hold it exactly. @param {readonly number[]} shape */
export function countOf(shape) {
  if (shape.includes(0)) return 0;
  let count = 1;
  for (const size of shape) count *= size;
  return Number.isSafeInteger(count) ? count : Infinity;
}

/** The same product, exact at any size. @param {readonly number[]} shape */
export const exactCountOf = (shape) => shape.reduce((count, size) => count * BigInt(size), 1n);

/** @param {unknown} value @returns {value is number} */
export const isSize = (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= largestSize;

/** @param {unknown} value @returns {value is number} */
export const isPositiveSize = (value) => isSize(value) && value > 0;
