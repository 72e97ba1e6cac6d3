// Counts what a page holds on to: listeners, observers, timers, compiled WebAssembly. Installed before any script runs.

/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} Census
 * @property {number} listeners  on the document, the window and media queries
 * @property {number} observers  that watch something
 * @property {number} timers  started since the last look: timeouts, intervals, frames
 * @property {number} compiled  WebAssembly modules
 * @property {number} instances
 */

/** @param {Page} page */
export function installCensus(page) {
  return page.addInitScript(() => {
    const census = { listeners: 0, observers: new Set(), timers: 0, compiled: 0, instances: 0 };
    Object.defineProperty(window, 'census', {
      value: () => {
        const { observers, ...counts } = census;
        census.timers = 0;
        return { ...counts, observers: observers.size };
      },
    });

    const shared = (/** @type {unknown} */ target) => target === window || target === document || target instanceof MediaQueryList;
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    /** @type {Map<unknown, Set<string>>} */
    const listening = new Map();
    const names = new WeakMap();
    let count = 0;
    const keyOf = (/** @type {string} */ type, /** @type {any} */ listener) => {
      if (!names.has(listener)) names.set(listener, (count += 1));
      return `${type} ${names.get(listener)}`;
    };
    EventTarget.prototype.addEventListener = function add(type, listener, options) {
      if (listener && shared(this ?? window)) {
        const known = listening.get(this) ?? new Set();
        listening.set(this, known);
        if (!known.has(keyOf(type, listener))) census.listeners += 1;
        known.add(keyOf(type, listener));
      }
      return addEventListener.call(this, type, listener, options);
    };
    EventTarget.prototype.removeEventListener = function remove(type, listener, options) {
      if (listener && listening.get(this)?.delete(keyOf(type, listener))) census.listeners -= 1;
      return removeEventListener.call(this, type, listener, options);
    };

    for (const name of /** @type {const} */ (['MutationObserver', 'ResizeObserver', 'IntersectionObserver'])) {
      const prototype = /** @type {any} */ (window[name].prototype);
      const { observe, disconnect } = prototype;
      prototype.observe = function watch(/** @type {unknown[]} */ ...args) {
        census.observers.add(this);
        return observe.apply(this, args);
      };
      prototype.disconnect = function stop() {
        census.observers.delete(this);
        return disconnect.call(this);
      };
    }

    for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback']) {
      const start = /** @type {any} */ (window)[name];
      Reflect.set(window, name, (/** @type {unknown[]} */ ...args) => {
        census.timers += 1;
        return start(...args);
      });
    }

    const { compile, compileStreaming, instantiate, instantiateStreaming } = WebAssembly;
    Object.assign(WebAssembly, {
      compile: (/** @type {any} */ bytes) => (census.compiled += 1, compile(bytes)),
      compileStreaming: (/** @type {any} */ source) => (census.compiled += 1, compileStreaming(source)),
      instantiate: (/** @type {any} */ source, /** @type {any} */ imports) => {
        census.instances += 1;
        if (!(source instanceof WebAssembly.Module)) census.compiled += 1;
        return instantiate(source, imports);
      },
      instantiateStreaming: (/** @type {any} */ source, /** @type {any} */ imports) => {
        census.instances += 1;
        census.compiled += 1;
        return instantiateStreaming(source, imports);
      },
      Module: new Proxy(WebAssembly.Module, { construct: (type, args) => (census.compiled += 1, Reflect.construct(type, args)) }),
      Instance: new Proxy(WebAssembly.Instance, { construct: (type, args) => (census.instances += 1, Reflect.construct(type, args)) }),
    });
  });
}

/** @param {Page} page @returns {Promise<Census>} */
export const censusOf = (page) => page.evaluate(() => /** @type {any} */ (window).census());
