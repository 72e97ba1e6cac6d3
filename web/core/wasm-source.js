import { inflate } from './inflate.js';
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
const unpack = ({ size, packed }) => inflate(Uint8Array.from(atob(packed), (character) => character.charCodeAt(0)), size);
