import { readFileSync } from 'node:fs';
import { loadEngine } from 'attn-widgets';

/** The bytes of a build. @param {string} variant */
export const wasmOf = (variant) => readFileSync(new URL(`../../../dist/wasm/${variant}.wasm`, import.meta.url));

/** An engine, and so a memory, that no other test has used. @param {string} variant */
export const freshEngine = (variant) => loadEngine({ wasm: wasmOf(variant) });
