// The cases of ./data, as a test reads them.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { roundToHalf } from './half.js';

/** A tensor of a case: its values in float64, already rounded to their own type. @typedef {{ shape: number[], dtype: string, data: Float64Array }} Tensor */

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} op
 * @property {Record<string, any>} attrs only those that are set
 * @property {Record<string, Tensor>} inputs
 * @property {Record<string, Tensor>} outputs as the source gives them
 * @property {Record<string, Tensor>} outputs64 the same from a float64 program
 * @property {{ rtol: number, atol: number }} tolerance for `outputs`
 * @property {boolean} expectError the call has to be refused; there are no outputs
 * @property {boolean} wide whether the case is in float64
 */

const folder = fileURLToPath(new URL('./data', import.meta.url));

/** @type {Record<string, (value: number) => number>} */
const rounding = { float16: roundToHalf, float32: Math.fround };
/** @type {Record<string, number>} */
const words = { nan: NaN, inf: Infinity, '-inf': -Infinity };

/** @param {{ shape: number[], dtype: string, data: (number | string)[] }} stored @returns {Tensor} */
function tensor({ shape, dtype, data }) {
  const round = rounding[dtype] ?? Number;
  return { shape, dtype, data: Float64Array.from(data, (value) => round(typeof value === 'string' ? words[value] : value)) };
}

/** @param {Record<string, any>} stored @returns {Record<string, Tensor>} */
const tensors = (stored) => Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, tensor(value)]));

/** @param {string} file @returns {Case} */
function read(file) {
  const { name, op, attrs, inputs, outputs, outputs64, tolerance, expect_error: expectError = false } = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  const wide = Object.values(inputs).some((/** @type {any} */ { dtype }) => dtype === 'float64');
  return { name, op, attrs, inputs: tensors(inputs), outputs: tensors(outputs), outputs64: tensors(outputs64), tolerance, expectError, wide };
}

/** Every case there is, in the order of its name. */
export const cases = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .map(read)
  .sort((a, b) => (a.name < b.name ? -1 : 1));
