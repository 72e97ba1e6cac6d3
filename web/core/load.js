import { Core } from './core.js';
import { createEngine } from './engine.js';
import { loadErrors, refusals } from './errors.js';
import { instantiate } from './instance.js';
import { number } from './option-values.js';
import { record } from './record.js';
import { supportsRelaxedSimd, supportsSimd } from './simd-probe.js';
import { compileModule, isUrl, requireWasmInput } from './wasm-module.js';

/** @typedef {import('./types.js').Engine} Engine */
/** @typedef {import('./types.js').EngineOptions} EngineOptions */
/** @typedef {import('./wasm-module.js').WasmInput} WasmInput */

const variants = ['auto', 'simd', 'scalar', 'relaxed'];

/** Each thread has an instance and a memory of its own. */
const mostThreads = 16;

/** Engines that are loaded or on their way: one per variant, number of threads and source. @type {Map<string, Promise<Engine>>} */
const fromUrls = new Map();
/** @type {WeakMap<object, Map<string, Promise<Engine>>>} */
const fromObjects = new WeakMap();

/**
 * Loads the engine. Calls with the same options share one, however many there are at once; a failed load is forgotten,
 * so that it can be tried again.
 *
 * @param {EngineOptions} [options]
 * @returns {Promise<Engine>} Rejects with an `EngineLoadError` if there is no WebAssembly, nothing comes back, or what
 *   comes back is not the engine; with a `TypeError` if the options are wrong.
 */
export async function loadEngine(options = {}) {
  const { wasm, variant = 'auto', threads: asked = 1 } = record('options', options, ['wasm', 'variant', 'threads']);
  if (typeof variant !== 'string' || !variants.includes(variant)) throw refusals.choice('variant', variants, variant);
  const threads = Math.min(mostThreads, number('threads', 'a whole number of at least 1', asked, (count) => Number.isInteger(count) && count > 0));
  if (typeof globalThis.WebAssembly?.compile !== 'function') throw loadErrors.noWebAssembly();
  requireWasmInput(wasm);
  const wanted = variant === 'auto' && wasm === undefined ? (supportsSimd() ? 'simd' : 'scalar') : variant;
  if (wanted === 'simd' && !supportsSimd()) throw loadErrors.unsupported("'scalar' or 'auto'", wanted);
  if (wanted === 'relaxed' && !supportsRelaxedSimd()) throw loadErrors.unsupported("'simd', 'scalar' or 'auto'", wanted);

  const engines = enginesFrom(wasm);
  const key = `${wanted} ${threads} ${isUrl(wasm) ? wasm : ''}`;
  const forget = () => {
    if (engines.get(key) === loading) engines.delete(key);
  };
  const loading = engines.get(key) ?? load(wasm, wanted, threads, () => forget());
  if (!engines.has(key)) {
    engines.set(key, loading);
    loading.catch(forget);
  }
  return loading;
}

/** @param {WasmInput | undefined} wasm */
function enginesFrom(wasm) {
  if (wasm === undefined || isUrl(wasm)) return fromUrls;
  const engines = fromObjects.get(wasm) ?? new Map();
  fromObjects.set(wasm, engines);
  return engines;
}

/** @param {WasmInput | undefined} wasm @param {string} wanted @param {number} threads @param {() => void} onEnd */
async function load(wasm, wanted, threads, onEnd) {
  const { module, where } = await compileModule(wasm, wanted === 'auto' ? 'simd' : /** @type {import('./types.js').Variant} */ (wanted));
  const instance = await instantiate(module).catch((cause) => {
    throw loadErrors.instantiate(where, cause);
  });
  const variant = variantOf(instance.raw);
  if (wanted !== 'auto' && wanted !== variant) throw refusals.variant(wanted, variant, where);
  return createEngine(new Core(module, instance, onEnd), variant, threads);
}

/** @param {import('./raw.js').RawCore} raw @returns {import('./types.js').Variant} */
function variantOf(raw) {
  if (raw._relaxed()) return 'relaxed';
  return raw._simd() ? 'simd' : 'scalar';
}
