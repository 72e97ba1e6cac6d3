import { patch } from './patch.js';
import { unpack } from './unpack.js';

/**
 * The compiled core as JavaScript modules that hold its bytes, written by the build (`web/tools/wasm-modules.mjs`).
 * They are loaded like any other module and only if they are used: no file beside the script has to be found, by this
 * page, a bundler or a CDN.
 */
export const wasmSources = {
  simd: async () => unpack(await import('../../build/generated/simd.js')),
  /** Held as the difference from the SIMD build, of which it is a fifth. */
  scalar: async () => {
    const { size, delta } = await import('../../build/generated/scalar.js');
    return patch(await wasmSources.simd(), unpack(delta), size);
  },
};
