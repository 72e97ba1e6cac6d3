import { refusals } from '../errors.js';
import { reading } from '../reading.js';
import { compute, Lost } from './compute.js';
import { Images } from './images.js';
import { Pool } from './pool.js';

/** @typedef {import('../raw.js').RawReport & { threads: number }} Run all parts together */

/**
 * @typedef {object} Job
 * @property {string} name of the call, for error sentences
 * @property {import('./part-runner.js').CallPlan} call
 * @property {import('./split.js').Split} split
 * @property {number} threads how many it is worth
 * @property {{ name: string, place: number, count: number, array: Float32Array | undefined }[]} outputs each with the caller's array, if it
 *   is to go into one
 * @property {AbortSignal} [signal]
 * @property {(done: number) => void} [onProgress] called with the share that is done
 */

/** @typedef {{ run: Run, outputs: Float32Array[] }} Outcome */

/** A job and who waits for it. @typedef {Job & { settled: boolean, resolve: (outcome: Outcome) => void, reject: (why: unknown) => void }} Waiting */

/** Calls that are computed apart from the page, one after another in the order they came. */
export class Background {
  #images = new Images();
  /** @type {Set<Waiting>} */
  #waiting = new Set();
  /** @type {Promise<void>} */
  #last = Promise.resolve();

  /** @param {WebAssembly.Module} module @param {number} threads at most */
  constructor(module, threads) {
    this.pool = new Pool(module, threads);
  }

  /** @param {Job} job @returns {Promise<Outcome>} */
  run(job) {
    const { signal } = job;
    return new Promise((resolve, reject) => {
      const abort = () => waiting.reject(reasonOf(/** @type {AbortSignal} */ (signal)));
      const settle = (/** @type {() => void} */ how) => {
        this.#waiting.delete(waiting);
        waiting.settled = true;
        how();
        try {
          signal?.removeEventListener('abort', abort);
        } catch {
          // a signal of the caller's own making; what comes of it any more, nobody waits for
        }
      };
      /** @type {Waiting} */
      const waiting = { ...job, settled: false, resolve: (value) => settle(() => resolve(value)), reject: (why) => settle(() => reject(why)) };
      reading('signal', () => signal?.addEventListener('abort', abort));
      if (waiting.settled) return;
      this.#waiting.add(waiting);
      try {
        const image = this.#images.write(job.name, job.split.layout, job.threads);
        this.#last = this.#last.then(() => this.#work(waiting, image));
      } catch (problem) {
        waiting.reject(problem);
      }
    });
  }

  /** Nobody gets an answer any more. */
  dispose() {
    for (const { name, reject } of [...this.#waiting]) reject(refusals.disposed(name));
    this.pool.stop();
  }

  /** Never throws. @param {Waiting} job @param {ArrayBufferLike} image */
  async #work(job, image) {
    const outcome = await (job.settled ? undefined : compute(this.pool, job, image).catch((problem) => {
      job.reject(problem instanceof Lost ? refusals.outOfMemory(job.name, job.call.bytes) : problem);
    }));
    this.#images.release(image); // before the caller can make another call
    if (outcome && !job.settled) job.resolve(outcome);
  }
}

/** Never throws. @param {AbortSignal} signal @returns {unknown} */
export function reasonOf(signal) {
  try {
    return signal.reason ?? aborted();
  } catch {
    return aborted();
  }
}

const aborted = () => new DOMException('This operation was aborted', 'AbortError');
