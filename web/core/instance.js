import createModule from '../../build/generated/glue.js';
import { version } from '../version.js';

/**
 * One instance of the compiled core: its raw functions and its memory.
 * @typedef {{ raw: import('./raw.js').RawCore, memory: WebAssembly.Memory }} Instance
 */

/** A failing core says so by an exception, not on the console as well. */
const quiet = { printErr() {} };

/**
 * Instantiates without blocking, as some browsers demand of a page.
 * @param {WebAssembly.Module} module
 * @returns {Promise<Instance>}
 */
export function instantiate(module) {
  return new Promise((resolve, reject) => {
    /** @type {WebAssembly.Instance} */
    let instance;
    createModule({
      ...quiet,
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports).then((created) => done((instance = created), module)).catch(reject);
        return {};
      },
    }).then((raw) => resolve(identified({ raw, memory: memoryOf(instance) }))).catch(reject);
  });
}

/**
 * That an instance is this version's engine. The compiler shortens the names of exports to a letter or two, so another
 * module can have them all by chance; what it does then is anything but to give its version.
 * @param {Instance} instance
 */
function identified(instance) {
  const found = instance.raw._version();
  if (found !== version) throw new Error(`version ${found} in place of ${version}`);
  return instance;
}

/**
 * Instantiates at once, for a call that found its instance broken.
 * @param {WebAssembly.Module} module
 * @returns {Instance | undefined} undefined where this cannot be done at once
 */
export function instantiateNow(module) {
  /** @type {WebAssembly.Instance | undefined} */
  let instance;
  const options = {
    ...quiet,
    /** @type {import('./raw.js').InstantiateWasm} */
    instantiateWasm(imports, done) {
      instance = new WebAssembly.Instance(module, imports);
      done(instance, module);
      return instance.exports;
    },
  };
  try {
    createModule(options).catch(() => {});
  } catch {
    return undefined;
  }
  // The glue fills in the object it was given; some of its versions do so only later.
  const raw = /** @type {import('./raw.js').RawCore} */ (/** @type {unknown} */ (options));
  return instance && '_reserve' in raw ? { raw, memory: memoryOf(instance) } : undefined;
}

/** The build shortens the names of exports, but a module has one memory. @param {WebAssembly.Instance} instance */
function memoryOf(instance) {
  const memory = Object.values(instance.exports).find((item) => item instanceof WebAssembly.Memory);
  return /** @type {WebAssembly.Memory} */ (memory);
}
