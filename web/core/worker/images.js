import { refusals } from '../errors.js';
import { Memory } from '../memory.js';

/** Only a page that is isolated may pass shared memory on; in Node every program may. */
const canShare = typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;

/** With the outputs, unless they are far larger than the inputs, as weights are: the buffer stays. @param {import('../layout.js').Layout} layout */
const sharedBytes = ({ bytes, inputBytes }) => (bytes <= 2 * inputBytes ? bytes : inputBytes);

/**
 * Copies of the inputs of calls, each where the call's layout puts it. A call for several threads has them in shared memory,
 * if that can be: each thread takes what it needs from there, and puts its results there. There is one such buffer, for one
 * call at a time, since shared memory that is dropped does not hurry the garbage collection that would free it.
 */
export class Images {
  /** @type {SharedArrayBuffer | undefined} */
  shared;
  lent = false;

  /** @param {string} name the call, for error sentences @param {import('../layout.js').Layout} layout @param {number} threads */
  write(name, layout, threads) {
    const share = canShare && threads > 1 && !this.lent;
    const image = this.roomFor(name, share ? sharedBytes(layout) : layout.inputBytes, share);
    this.lent ||= share; // before anything of the caller's is read, which may make calls of its own
    try {
      new Memory({ buffer: image }).write(0, layout);
    } catch (problem) {
      this.release(image);
      throw problem;
    }
    return image;
  }

  /** No thread reads it any more. @param {ArrayBufferLike} image */
  release(image) {
    if (image === this.shared) this.lent = false;
  }

  /** @param {string} name @param {number} bytes @param {boolean} share */
  roomFor(name, bytes, share) {
    try {
      if (!share) return new ArrayBuffer(bytes);
      if (!this.shared || this.shared.byteLength < bytes) this.shared = new SharedArrayBuffer(2 ** Math.ceil(Math.log2(bytes)));
      return this.shared;
    } catch {
      throw refusals.outOfMemory(name, bytes);
    }
  }
}
