import { loadErrors, refusals } from './errors.js';
import { isDetached } from './lists.js';
import { reading } from './reading.js';
import { wasmSources } from './wasm-source.js';
import { shorten } from './wording.js';

/** @typedef {string | URL | ArrayBuffer | ArrayBufferView | Response | WebAssembly.Module} WasmInput */

/** The class of an object, from any realm. @param {unknown} value */
const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** @param {unknown} wasm @returns {wasm is string | URL} */
export const isUrl = (wasm) => typeof wasm === 'string' || tag(wasm) === 'URL';

/** @param {unknown} wasm @returns {wasm is Response} */
const isResponse = (wasm) => tag(wasm) === 'Response';

/** @param {unknown} wasm @returns {wasm is ArrayBuffer | ArrayBufferView} */
const isBytes = (wasm) => ArrayBuffer.isView(wasm) || tag(wasm).endsWith('ArrayBuffer');

/** @param {unknown} wasm @returns {wasm is WebAssembly.Module} */
const isModule = (wasm) => tag(wasm) === 'WebAssembly.Module';

/**
 * Refuses what can be no source of a module, before anything is fetched.
 * @param {unknown} wasm
 * @returns {asserts wasm is WasmInput | undefined}
 */
export function requireWasmInput(wasm) {
  const known = reading('wasm', () => wasm === undefined || isUrl(wasm) || isResponse(wasm) || isBytes(wasm) || isModule(wasm));
  if (!known) throw refusals.wasm(wasm);
}

/**
 * A compiled module from any of its sources, and a name for the source.
 * @param {WasmInput | undefined} wasm undefined: the module that is part of this package
 * @param {import('./types.js').Variant} variant
 */
export async function compileModule(wasm, variant) {
  if (isModule(wasm)) return { module: wasm, where: 'the given module' };
  if (wasm === undefined) return compile(await wasmSources[variant](), 'this package');
  if (isUrl(wasm)) return compileUrl(wasm);
  if (isResponse(wasm)) return compileResponse(wasm, shorten(/** @type {Response} */ (wasm).url) || 'the given response');
  const bytes = /** @type {ArrayBuffer | ArrayBufferView} */ (wasm);
  if (isDetached('buffer' in bytes ? bytes.buffer : bytes)) throw refusals.detachedWasm();
  return compile(bytes, 'the given bytes');
}

/** @param {ArrayBuffer | ArrayBufferView} bytes @param {string} where */
async function compile(bytes, where) {
  try {
    return { module: await WebAssembly.compile(/** @type {BufferSource} */ (bytes)), where };
  } catch (cause) {
    throw looksLikeHtml(bytes) ? loadErrors.html(where) : loadErrors.compile(where, cause);
  }
}

/** @param {string | URL} url */
async function compileUrl(url) {
  const address = String(url);
  const where = shorten(address);
  if (address.startsWith('file:')) return compile(await readFile(address, where), where);
  let response;
  try {
    response = await fetch(address);
  } catch (cause) {
    throw loadErrors.fetch(where, cause);
  }
  if (typeof response?.arrayBuffer !== 'function') throw loadErrors.fetch(where, response); // a fetch that a page put in place of the browser's
  return compileResponse(response, where);
}

/**
 * From the whole body, not streaming: streaming refuses a server's wrong content type and would need the file twice,
 * and at some 50 KB there is nothing to gain from it.
 * @param {Response} response @param {string} where
 */
async function compileResponse(response, where) {
  if (!response.ok) throw loadErrors.status(where, response.status);
  let bytes;
  try {
    bytes = await response.arrayBuffer();
  } catch (cause) {
    throw loadErrors.body(where, cause);
  }
  return compile(bytes, where);
}

/**
 * A file on disk, which `fetch` does not read. Only Node (and programs built on it) can; a page cannot.
 * @param {string} url @param {string} where the same, for error sentences
 */
async function readFile(url, where) {
  const host = /** @type {{ process?: { getBuiltinModule?: (name: string) => any } }} */ (globalThis);
  const files = host.process?.getBuiltinModule?.('fs');
  if (!files) throw loadErrors.file(where);
  try {
    return /** @type {Uint8Array} */ (await files.promises.readFile(new URL(url)));
  } catch (cause) {
    throw loadErrors.fetch(where, cause);
  }
}

/** The first visible character of a web page is `<`. @param {ArrayBuffer | ArrayBufferView} bytes */
function looksLikeHtml(bytes) {
  const view = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
  const visible = view.subarray(0, 64).find((byte) => byte > 0x20 && byte < 0x80);
  return visible === '<'.charCodeAt(0);
}
