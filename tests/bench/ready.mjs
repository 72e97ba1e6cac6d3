// Prints the milliseconds from the engine's bytes to an engine that can compute.
import { readFileSync } from 'node:fs';

const { loadEngine } = await import(new URL('../../dist/index.js', import.meta.url).href);
const bytes = readFileSync(new URL('../../dist/wasm/simd.wasm', import.meta.url));
const start = performance.now();
await loadEngine({ wasm: bytes });
console.log(performance.now() - start);
