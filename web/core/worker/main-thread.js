import { instantiate } from '../instance.js';
import { PartRunner } from './part-runner.js';

/** Half a frame: between two parts the page can draw and answer. */
const sliceMs = 8;

/**
 * The same on the main thread, where no worker can be started. Its instance is its own, so that other calls can come
 * between two parts.
 * @param {WebAssembly.Module} module
 * @returns {Promise<import('./thread.js').Thread>}
 */
export async function startMainThread(module) {
  const runner = new PartRunner(module, await instantiate(module));
  return {
    async ask(request) {
      await new Promise((resolve) => setTimeout(resolve));
      return runner.answer(request);
    },
    sliceMs,
    hold() {},
    end() {},
  };
}
