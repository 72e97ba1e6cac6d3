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
  scalar: () => changed('wasm/scalar.js', import('../../build/generated/scalar.js')),
  relaxed: () => changed('wasm/relaxed.js', import('../../build/generated/relaxed.js')),
};

/**
 * Held as the difference from the SIMD build; the builds in one file have it in a second.
 * @param {string} file @param {Promise<{ size: number, delta: import('./unpack.js').Packed }>} loading
 */
async function changed(file, loading) {
  const { size, delta } = await loading.catch((cause) => {
    throw loadErrors.fetch(file, cause);
  });
  return patch(await wasmSources.simd(), unpack(delta), size);
}
