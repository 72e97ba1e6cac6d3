import { refusals } from '../errors.js';
import { reading } from '../reading.js';
import { startMainThread } from './main-thread.js';
import { startWorker } from './thread.js';

/** @typedef {import('./thread.js').Thread} Thread */
/** @typedef {import('../raw.js').RawReport} RawReport */

/**
 * @typedef {object} Job
 * @property {string} name of the call, for error sentences
 * @property {import('./part-runner.js').CallImage} call
 * @property {{ place: number, count: number }[]} outputs
 * @property {AbortSignal} [signal]
 * @property {(done: number) => void} [onProgress] called with the share that is done
 */

/** @typedef {{ run: RawReport, outputs: Float32Array[] }} Outcome */

/** A job and who waits for it. @typedef {Job & { settled: boolean, resolve: (outcome: Outcome) => void, reject: (why: unknown) => void }} Waiting */

/** Whether the console has been told, once for all engines, that there is no worker. */
let told = false;

/**
 * Calls that are computed apart from the page, one after another in the order they came. All of them share one thread,
 * which starts with the first. (More threads could each take parts: a part's bits do not depend on who computes it.)
 */
export class Background {
  /** @type {Promise<Thread> | undefined} */
  #thread;
  /** @type {Set<Waiting>} */
  #waiting = new Set();
  /** @type {Promise<void>} */
  #last = Promise.resolve();

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.module = module;
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
      this.#last = this.#last.then(() => this.#work(waiting));
    });
  }

  /** Nobody gets an answer any more. */
  dispose() {
    for (const { name, reject } of [...this.#waiting]) reject(refusals.disposed(name));
    this.#stop();
  }

  #stop() {
    this.#thread?.then((thread) => thread.end(), () => {});
    this.#thread = undefined;
  }

  /** Never throws. @param {Waiting} job */
  async #work(job) {
    if (job.settled) return;
    let thread;
    try {
      thread = await (this.#thread ??= start(this.module));
    } catch {
      this.#thread = undefined;
      return job.reject(refusals.outOfMemory(job.name, job.call.bytes));
    }
    thread.hold(true);
    try {
      await compute(thread, job);
    } catch (problem) {
      if (problem instanceof Lost) this.#stop();
      job.reject(problem instanceof Lost ? refusals.outOfMemory(job.name, job.call.bytes) : problem);
    }
    thread.hold(false);
  }
}

/** There was not enough memory, or the thread has died, and of what else would it? */
class Lost extends Error {}

/** @param {WebAssembly.Module} module */
async function start(module) {
  try {
    return await startWorker(module);
  } catch (problem) {
    if (!told) console.warn(`attn-widgets: no worker could be started (${problem instanceof Error ? problem.message : problem}), so attentionAsync computes on the main thread, in slices.`);
    told = true;
    return startMainThread(module);
  }
}

/**
 * The parts of a job, each about as long as suits the thread; no further ones once nobody waits for it.
 * @param {Thread} thread @param {Waiting} job
 */
async function compute(thread, job) {
  const ask = async (/** @type {Parameters<Thread['ask']>} */ ...question) => {
    const answer = await thread.ask(...question).catch(() => undefined);
    if (answer === undefined) throw new Lost();
    return answer;
  };
  const { call, outputs, onProgress } = job;
  const tiles = /** @type {number} */ (await ask({ step: 'begin', call }, [call.image]));
  const run = { status: 0, flops: 0, tilesVisited: 0, tilesSkipped: 0, workingBytes: 0 };
  let done = 0;
  let count = 1;
  do {
    const begin = performance.now();
    const last = Math.min(done + count, tiles);
    add(run, await ask({ step: 'part', first: done, last }));
    if (job.settled) return;
    count = Math.max(1, Math.floor((thread.sliceMs * (last - done)) / Math.max(performance.now() - begin, shortest)));
    done = last;
    onProgress?.(tiles === 0 ? 1 : done / tiles);
  } while (!job.settled && run.status === 0 && done < tiles);
  if (!job.settled) job.resolve({ run, outputs: await ask({ step: 'end', outputs }) });
}

/** Clocks of browsers are coarse: a shorter time may be none at all, in milliseconds. */
const shortest = 0.1;

/** What a part adds to the report of the whole; each part takes the same scratch. @param {RawReport} run @param {RawReport} part */
function add(run, part) {
  run.status = part.status;
  run.flops += part.flops;
  run.tilesVisited += part.tilesVisited;
  run.tilesSkipped += part.tilesSkipped;
  run.workingBytes = part.workingBytes;
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
