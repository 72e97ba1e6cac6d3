/**
 * The compiled core as JavaScript modules that hold its bytes, one per variant, written by the build. Each is loaded
 * only if it is used, and like any other module: no file beside the script has to be found, by this page, a bundler
 * or a CDN.
 */
export const wasmSources = {
  simd: () => import('../../build/generated/simd.js'),
  scalar: () => import('../../build/generated/scalar.js'),
};

/** @param {string} text base64 */
export const decodeBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
