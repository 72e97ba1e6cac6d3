import { loadEngine } from '../index.js';

/** @typedef {Awaited<ReturnType<typeof loadEngine>>} Engine */

/** @type {Parameters<typeof loadEngine>[0]} */
let options;

/**
 * Sets how the elements load the engine (where the wasm comes from, which variant). Call it before the first element is on the page.
 * @param {Parameters<typeof loadEngine>[0]} engineOptions
 */
export function useEngine(engineOptions) {
  options = engineOptions;
}

/** The engine all elements of the page share. A failed load is tried anew by the next call. */
export function sharedEngine() {
  return loadEngine(options);
}
