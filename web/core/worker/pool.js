import { startMainThread } from './main-thread.js';
import { startWorker } from './thread.js';

/** @typedef {import('./thread.js').Thread} Thread */

/** Whether the console has been told, once for all engines, that there is no worker. */
let told = false;

/** The threads of an engine. Each is started by the first call that it is wanted for, and stays. */
export class Pool {
  /** @type {(Promise<Thread> | undefined)[]} */
  #threads = [];
  #stopped = false;

  /** @param {WebAssembly.Module} module @param {number} size the most threads; fewer once some could not be started */
  constructor(module, size) {
    this.module = module;
    this.size = size;
  }

  /**
   * The thread of a seat. That of seat 0 is the main thread if there can be no worker.
   * @param {number} seat @returns {Promise<Thread>} Rejects if it cannot be started.
   */
  thread(seat) {
    if (this.#stopped) return Promise.reject(new Error('it was stopped'));
    return (this.#threads[seat] ??= startWorker(this.module).catch((problem) => {
      this.size = Math.max(1, Math.min(this.size, seat));
      if (seat > 0) throw problem;
      if (!told) console.warn(`attn-widgets: no worker could be started (${problem instanceof Error ? problem.message : problem}), so attentionAsync computes on the main thread, in slices.`);
      told = true;
      return startMainThread(this.module);
    }));
  }

  /** Ends the thread of a seat; the next call that wants it gets another. @param {number} seat */
  drop(seat) {
    this.#threads[seat]?.then((thread) => thread.end(), () => {});
    this.#threads[seat] = undefined;
  }

  /** Ends all threads; there will be no others. */
  stop() {
    this.#stopped = true;
    this.#threads.forEach((_, seat) => this.drop(seat));
  }
}
