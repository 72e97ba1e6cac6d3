import { describe } from '../description.js';
import { instantiateNow } from '../instance.js';

/** @typedef {import('../instance.js').Instance} Instance */
/** @typedef {import('../raw.js').RawReport} RawReport */

/**
 * A planned call as it crosses to another thread: what `prepare` takes, and the inputs where the layout puts them.
 * @typedef {object} CallImage
 * @property {import('../inputs.js').CallShape} shape
 * @property {import('../settings.js').Settings['wire']} wire
 * @property {import('../settings.js').Settings['tensors']} tensors
 * @property {number} bytes
 * @property {ArrayBuffer} image from place 0 on
 */

/**
 * The steps of a call: `begin` says how many query tiles there are, `part` computes some of them, `end` gives the outputs.
 * @typedef {{ step: 'begin', call: CallImage } | { step: 'part', first: number, last: number } | { step: 'end', outputs: { place: number, count: number }[] }} Request
 */

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

  /** @param {Request} request @returns {number | RawReport | Float32Array[] | undefined} undefined: there was not enough memory */
  answer(request) {
    try {
      if (!this.instance) return undefined;
      if (request.step === 'begin') return this.#begin(this.instance, request.call);
      if (request.step === 'part') return this.instance.raw._attentionPart(request.first, request.last);
      return this.#end(this.instance, request.outputs);
    } catch (problem) {
      // An allocation inside the core failed and ended the instance, or there is no room for a copy of the outputs.
      if (problem instanceof WebAssembly.RuntimeError) this.instance = instantiateNow(this.module);
      return undefined;
    }
  }

  /** @param {Instance} instance @param {CallImage} call */
  #begin({ raw, memory }, { bytes, image, ...call }) {
    describe(raw, new Float64Array(memory.buffer), call);
    this.#base = raw._prepareAttention(bytes);
    if (this.#base === 0) return undefined;
    new Uint8Array(memory.buffer, this.#base, image.byteLength).set(new Uint8Array(image));
    return raw._queryTiles();
  }

  /** @param {Instance} instance @param {{ place: number, count: number }[]} outputs */
  #end({ memory }, outputs) {
    return outputs.map(({ place, count }) => new Float32Array(memory.buffer, this.#base + place, count).slice());
  }
}
