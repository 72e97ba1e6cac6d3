import { inflateSync } from 'fflate'; // the browser's own DecompressionStream is younger than the browsers this package runs in
import { patch } from './patch.js';

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

/** @param {{ size: number, packed: string }} file deflated, in base64 */
function unpack({ size, packed }) {
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i); // runs once and cold: a callback for each takes ten times as long
  return inflateSync(bytes, { out: new Uint8Array(size) });
}
