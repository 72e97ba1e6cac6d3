import { refusals } from './errors.js';
import { lengthOf, requireAttached, typedArrayName } from './lists.js';
import { reading } from './reading.js';
import { record } from './record.js';
import { countOf } from './sizes.js';

/** @typedef {Float32Array | Float64Array} Floats */

/** What the results of calls have: any of them can be handed in. */
const parts = ['output', 'weights', 'scores', 'logSumExp', 'heads', 'report', 'trace'];

/**
 * The caller's arrays that outputs of a call are to be written into, by name; an output without one gets a new array.
 * @param {unknown} out the option: the result of an earlier call, its tensors or arrays by name, or what is for `output` alone
 * @param {string} type the class of the arrays
 * @param {Readonly<Record<string, readonly number[]>>} outputs the shapes of the outputs of this call
 * @returns {Partial<Record<string, Floats>>}
 */
export function readOut(out, type, outputs) {
  /** @type {Record<string, Floats>} */
  const arrays = {};
  if (out === undefined) return arrays;
  const alone = reading('out', () => typedArrayName(out) !== undefined || (typeof out === 'object' && out !== null && 'data' in out));
  /** @type {Record<string, unknown>} */
  const given = alone ? { output: out } : record('out', out, parts);
  return reading('out', () => {
    for (const [name, shape] of Object.entries(outputs)) {
      if (given[name] === undefined) continue;
      const array = arrayOf(`out.${name}`, type, countOf(shape), given[name]);
      const other = Object.keys(arrays).find((earlier) => overlap(arrays[earlier], array));
      if (other) throw refusals.overlap(`out.${name}`, `out.${other}`);
      arrays[name] = array;
    }
    return arrays;
  });
}

/** @param {string} name @param {string} type @param {number} count @param {unknown} given @returns {Floats} */
function arrayOf(name, type, count, given) {
  const array = typedArrayName(given) ? given : /** @type {{ data?: unknown } | null} */ (given)?.data;
  if (typedArrayName(array) !== type) throw refusals.outArray(name, type, array ?? given);
  const values = /** @type {Floats} */ (array);
  requireAttached(name, values);
  const length = lengthOf(values);
  if (length !== count) throw refusals.count(name, `${count} values`, length);
  return values;
}

/** @param {Floats} a @param {Floats} b */
const overlap = (a, b) =>
  a.buffer === b.buffer && Math.max(a.byteOffset, b.byteOffset) < Math.min(a.byteOffset + a.byteLength, b.byteOffset + b.byteLength);

/** That an array of the caller's still has room: it may have been transferred or shrunk since it was read. @param {string} name of the output @param {Floats} array @param {number} count */
export function requireRoom(name, array, count) {
  if (lengthOf(array) < count) throw refusals.changed(`out.${name}`, count, lengthOf(array));
}

/** Writes values into an array of the caller's that has room for them. @param {Floats} array @param {Floats} values @param {number} [start] */
export function writeInto(array, values, start = 0) {
  if (values.length > 0) set.call(array, values, start); // into a detached array not even nothing can be written
}

/** Not the one of a subclass, which would run in the middle of a call. */
const { set } = Float32Array.prototype;
