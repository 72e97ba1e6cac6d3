import { refusals } from './errors.js';
import { lengthOf } from './lists.js';
import { requireRoom, writeInto } from './out.js';
import { reading } from './reading.js';
import { countOf } from './sizes.js';

/** @typedef {import('./layout.js').ArrayType} ArrayType */

/**
 * The one place where values cross between JavaScript and the module's memory, or a buffer laid out like it: one bulk set
 * per input, one bulk copy per output.
 */
export class Memory {
  /** @param {{ readonly buffer: ArrayBufferLike }} memory */
  constructor(memory) {
    this.memory = memory;
    this.views = viewsOf(memory.buffer);
  }

  /** Its size now. */
  get bytes() {
    return this.memory.buffer.byteLength;
  }

  /** @template {ArrayType} C @param {C} type @returns {InstanceType<C>} */
  view(type) {
    // Growing replaces the buffer and leaves the views of the old one empty.
    if (this.views.buffer !== this.memory.buffer) this.views = viewsOf(this.memory.buffer);
    return /** @type {InstanceType<C>} */ (this.views.of[type.name]);
  }

  /** Copies the inputs of a layout to where it puts them. @param {number} base @param {import('./layout.js').Layout} layout */
  write(base, layout) {
    for (const { name, type, data, count, place } of layout.inputs) {
      reading(name, () => {
        // A getter among the arguments can shrink, grow or transfer a buffer that was read before it.
        const length = lengthOf(data);
        if (length !== count) throw refusals.changed(name, count, length);
        this.view(type).set(data, (base + place) / type.BYTES_PER_ELEMENT);
      });
    }
  }

  /**
   * A copy of the tensor that lies at an address.
   * @template {ArrayType} C
   * @param {C} type @param {number} address @param {readonly number[]} shape
   * @returns {InstanceType<C>}
   */
  read(type, address, shape) {
    const start = address / type.BYTES_PER_ELEMENT;
    const count = countOf(shape);
    try {
      return /** @type {InstanceType<C>} */ (this.view(type).slice(start, start + count));
    } catch {
      throw refusals.outOfMemory('result', count * type.BYTES_PER_ELEMENT);
    }
  }

  /**
   * Copies of all outputs of a call, in the caller's arrays where there are such: nothing is written into those before all
   * else is done that can fail.
   * @template {typeof Float32Array | typeof Float64Array} C
   * @param {C} type @param {number} base @param {Readonly<Record<string, readonly number[]>>} outputs their shapes
   * @param {Readonly<Record<string, number>>} places @param {Partial<Record<string, import('./out.js').Floats>>} arrays
   * @returns {Record<string, InstanceType<C>>}
   */
  readOutputs(type, base, outputs, places, arrays) {
    /** @type {Record<string, any>} */
    const values = {};
    for (const [name, shape] of Object.entries(outputs)) {
      const array = arrays[name];
      if (array) requireRoom(name, array, countOf(shape));
      values[name] = array ?? this.read(type, base + places[name], shape);
    }
    for (const [name, array] of Object.entries(arrays)) {
      const start = (base + places[name]) / type.BYTES_PER_ELEMENT;
      if (array) writeInto(array, /** @type {InstanceType<C>} */ (this.view(type)).subarray(start, start + countOf(outputs[name])));
    }
    return values;
  }
}

/** @param {ArrayBufferLike} buffer */
function viewsOf(buffer) {
  const views = [Float32Array, Float64Array, Uint8Array, Uint32Array].map((type) => [type.name, new type(/** @type {ArrayBuffer} */ (buffer))]);
  return { buffer, of: /** @type {Record<string, InstanceType<ArrayType>>} */ (Object.fromEntries(views)) };
}
