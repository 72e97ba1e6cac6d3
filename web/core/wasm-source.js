import { loadErrors } from './errors.js';
import { patch } from './patch.js';
import { unpack } from './unpack.js';

/**
 * The compiled core as JavaScript modules that hold its bytes, written by the build (`web/tools/wasm-modules.mjs`).
 * They are loaded like any other module and only if they are used: no file beside the script has to be found, by this
 * page, a bundler or a CDN.
 */
export const wasmSources = {
  simd: async () => unpack(await import('../../build/generated/simd.js')),
  /** Held as the difference from the SIMD build; the builds in one file have it in a second, `wasm/scalar.js`. */
  scalar: async () => {
    const { size, delta } = await import('../../build/generated/scalar.js').catch((cause) => {
      throw loadErrors.fetch('wasm/scalar.js', cause);
    });
    return patch(await wasmSources.simd(), unpack(delta), size);
  },
};
