/** @typedef {{ data: Float32Array, shape: number[] }} Flat */

/** A tensor of zeros. @param {number[]} shape @returns {Flat} */
export const zeros = (...shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b, 1)), shape });

/** Values of width 1, one per key. @param {number[]} values */
export const column = (...values) => values.map((value) => [value]);

/** 1, 2, 3 … as values of width 1: the mean of some of them tells which were seen. @param {number} count */
export const counting = (count) => column(...Array.from({ length: count }, (_, j) => j + 1));
