import { describe } from '../description.js';
import { instantiateNow } from '../instance.js';

/** @typedef {import('../instance.js').Instance} Instance */
/** @typedef {import('../raw.js').RawReport} RawReport */

/** Query tiles first ≤ t < last of a call. @typedef {{ first: number, last: number }} Part */

/** A planned call as it crosses to another thread: how it is described to the core, and its room. @typedef {{ numbers: number[], bytes: number }} CallPlan */

/**
 * A part to compute, with the inputs that are not there yet and the outputs that are wanted, by their places.
 * @typedef {object} Request
 * @property {CallPlan} [call] with its first part
 * @property {Part} part
 * @property {{ place: number, bytes: Uint8Array }[]} inputs
 * @property {{ place: number, count: number }[]} outputs
 * @property {SharedArrayBuffer} [results] where outputs go, each to its place; without it they become arrays of their own
 */

/** @typedef {{ run: RawReport, outputs: Float32Array[] }} Answer */

/**
 * Runs calls of attention part by part, one call at a time, in an instance of its own: in a worker, or on the main thread
 * where there is none. (It knows no error sentences: the worker's script is to be small.)
 */
export class PartRunner {
  #base = 0;

  /** @param {WebAssembly.Module} module @param {Instance} instance */
  constructor(module, instance) {
    this.module = module;
    /** @type {Instance | undefined} */
    this.instance = instance;
  }

  /** @param {Request} request @returns {Answer | undefined} undefined: there was not enough memory */
  answer({ call, part: { first, last }, inputs, outputs, results }) {
    if (!this.instance) return undefined;
    const { raw, memory } = this.instance;
    try {
      if (call) {
        describe(raw, new Float64Array(memory.buffer), call.numbers);
        this.#base = raw._prepareAttention(call.bytes);
      }
      if (this.#base === 0) return undefined;
      for (const { place, bytes } of inputs) new Uint8Array(memory.buffer).set(bytes, this.#base + place);
      const run = raw._attentionPart(first, last);
      const kept = (/** @type {Float32Array} */ values, /** @type {number} */ place) => {
        if (!results) return values.slice();
        const there = new Float32Array(results, place, values.length);
        there.set(values);
        return there;
      };
      return { run, outputs: outputs.map(({ place, count }) => kept(new Float32Array(memory.buffer, this.#base + place, count), place)) };
    } catch (problem) {
      // An allocation inside the core failed and ended the instance, or there is no room for a copy of the outputs.
      if (problem instanceof WebAssembly.RuntimeError) this.instance = instantiateNow(this.module);
      return undefined;
    }
  }
}
