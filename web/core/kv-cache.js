import { planOutputs, tensorsOf } from './attention-call.js';
import { reportOf } from './attention.js';
import { readCount } from './counts.js';
import { refusals } from './errors.js';
import { leadingAxes } from './inputs.js';
import { readKeysAndValues, readQueries } from './kv-cache-inputs.js';
import { Layout } from './layout.js';
import { askMods } from './mods.js';
import { choice } from './option-values.js';
import { cacheOptions, readOptions } from './options.js';
import { readWindow } from './reach.js';
import { record } from './record.js';
import { Settings } from './settings.js';
import { countOf, exactCountOf, largestSize } from './sizes.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./raw.js').RawCore} RawCore */
/** @typedef {ReturnType<typeof readSettings>} CacheSettings */

const names = ['batch', 'kvHeads', 'headDim', 'valueDim', 'window', 'dtype', 'capacity'];
const dtypes = /** @type {const} */ (['f32', 'f16']);

/** Gives back the memory of caches that were forgotten without `dispose()`. */
const forgotten =
  typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry((/** @type {{ raw: RawCore, address: number }} */ { raw, address }) => raw._disposeCache(address))
    : undefined;

/**
 * @param {Core} core
 * @param {unknown} options
 * @returns {import('./types/kv-cache.js').KvCache}
 */
export function createKvCache(core, options) {
  const settings = readSettings(options);
  const { shape: { batch, kvHeads, keyDim, valueDim }, reach, capacity } = settings;
  const sizes = [batch, kvHeads, capacity ?? 1, keyDim + valueDim, settings.elementBytes];
  if (countOf(sizes) > core.limit) throw refusals.tooLarge('createKvCache', core.limit, String(exactCountOf(sizes)), `for ${capacity ?? 1} keys`);
  const half = settings.dtype === 'f16';
  const limits = { windowLeft: reach?.left ?? NaN, windowRight: reach?.right ?? NaN, capacity: capacity ?? NaN };
  const address = core.guard('createKvCache', countOf(sizes), (raw) => raw._createCache({ ...settings.shape, half, ...limits }));
  if (address === 0) throw refusals.outOfMemory('createKvCache', countOf(sizes));
  return /** @type {any} */ (new KvCache(core, address, settings)); // which outputs a result has, only the public types can say
}

/** @param {unknown} options */
function readSettings(options) {
  const { batch = 1, kvHeads, headDim, valueDim, window, dtype = 'f32', capacity } = record('options', options, names);
  const type = dtypes[choice('dtype', dtypes, dtype)];
  const reach = window === undefined ? undefined : readWindow(window);
  return {
    shape: {
      batch: readCount('batch', batch),
      kvHeads: readCount('kvHeads', kvHeads),
      keyDim: readCount('headDim', headDim),
      valueDim: readCount('valueDim', valueDim),
    },
    dtype: type,
    elementBytes: type === 'f16' ? 2 : 4,
    reach,
    /** As it was given, for reports. */
    window: typeof window === 'number' ? window : reach ?? null,
    capacity: capacity === undefined ? undefined : readCount('capacity', capacity),
  };
}

class KvCache {
  #core;
  #instance;
  #address;
  #settings;

  /** @param {Core} core @param {number} address @param {CacheSettings} settings */
  constructor(core, address, settings) {
    this.#core = core;
    this.#instance = core.live('createKvCache');
    this.#address = address;
    this.#settings = settings;
    forgotten?.register(this, { raw: this.#instance.raw, address }, this);
    // Like those of the engine, its methods need no `this`.
    for (const name of /** @type {const} */ (['append', 'attend', 'fork', 'dispose'])) {
      Object.defineProperty(this, name, { value: this[name].bind(this) });
    }
  }

  /** @param {unknown} k @param {unknown} v */
  append(k, v) {
    this.#live('append');
    const { shape, dtype } = this.#settings;
    const { key, value, count } = readKeysAndValues(k, v, shape, dtype === 'f16');
    this.#live('append'); // reading an argument can run code of its owner
    this.#requireRoom(count);
    if (count === 0) return;
    const layout = new Layout();
    const keyPlace = layout.addInput('k', Float32Array, key);
    const valuePlace = layout.addInput('v', Float32Array, value);
    const { result } = this.#core.execute(
      'append', layout, (raw) => raw._prepareAppend(this.#address, count, layout.bytes),
      (raw, base) => raw._append(this.#address, base + keyPlace, base + valuePlace, count),
    );
    this.#core.expectOk('append', result, layout);
  }

  /** @param {unknown} q @param {unknown} [options] */
  attend(q, options) {
    this.#live('attend');
    const { shape: sizes, dtype, window, reach } = this.#settings;
    const { query, queryHeads, queries } = readQueries(q, sizes);
    const { length: keys, firstKey } = this.#state('attend');
    const shape = { ...sizes, queryHeads, queries, keys, queryDim: sizes.keyDim };
    const settings = new Settings();
    if (reach) {
      settings.window = window;
      settings.wire.windowLeft = reach.left;
      settings.wire.windowRight = reach.right;
    }
    readOptions(options, cacheOptions, settings, shape);
    const { layout, tensors, wire } = settings;
    if (reach) requireHeld(wire, reach.left, shape, firstKey);
    askMods(this.#core, 'attend', shape, settings);
    tensors.query = layout.addInput('q', Float32Array, query);
    const outputs = planOutputs(settings, leadingAxes(query), shape);

    const { length } = this.#state('attend'); // reading an argument and asking a mask can run code of their owner
    if (length !== keys) throw refusals.cacheChanged('attend', keys, length);
    const { result, base, memory } = this.#core.executeCall(
      'attend', { shape, wire, tensors, layout }, (raw, bytes) => raw._prepareAttend(this.#address, bytes),
      (raw) => raw._attend(this.#address),
    );
    this.#core.expectOk('attend', result.status, layout);
    const plan = { shape, settings, outputs };
    const values = memory.readOutputs(Float32Array, base, outputs, tensors, settings.arrays);
    return { ...tensorsOf(plan, values), report: reportOf(this.#core, plan, result, dtype) };
  }

  fork() {
    this.#live('fork');
    const address = this.#core.guard('fork', this.bytes, (raw) => raw._forkCache(this.#address));
    if (address === 0) throw refusals.outOfMemory('fork', this.length); // its list of pages: less than a byte per key
    return new KvCache(this.#core, address, this.#settings);
  }

  get length() {
    return this.#state('length').length;
  }

  get bytes() {
    return this.#state('bytes').bytes;
  }

  get sharedBytes() {
    return this.#state('sharedBytes').sharedBytes;
  }

  dispose() {
    if (this.#address === 0) return;
    forgotten?.unregister(this);
    if (this.#core.instance === this.#instance) this.#instance.raw._disposeCache(this.#address);
    this.#address = 0;
  }

  /** The instance that has this cache. @param {string} name of the call, for the error sentence */
  #live(name) {
    if (this.#address === 0) throw refusals.cacheDisposed(name);
    const instance = this.#core.live(name);
    if (instance !== this.#instance) throw refusals.cacheLost(name);
    return instance;
  }

  /** @param {string} name */
  #state(name) {
    this.#live(name);
    return this.#core.guard(name, 0, (raw) => raw._cacheState(this.#address));
  }

  /** @param {number} count */
  #requireRoom(count) {
    const { capacity, reach } = this.#settings;
    const { length } = this.#state('append');
    const kept = Math.min(length, reach?.left ?? Infinity);
    const most = (capacity ?? Infinity) - kept;
    if (count > most) throw refusals.full(Math.max(most, 0), `the capacity is ${capacity}, of which ${kept} are taken`, count);
    if (count > largestSize - length) throw refusals.full(largestSize - length, `after ${length}, in the life of a cache`, count);
  }
}

/**
 * That nothing a query may see was let go.
 * @param {Settings['wire']} wire @param {number} left @param {import('./inputs.js').CallShape} shape @param {number} firstKey
 */
function requireHeld(wire, left, { queries, keys }, firstKey) {
  if (wire.emptyRows === emptyRowsUniform) throw refusals.uniformWindow();
  const position = Number.isNaN(wire.queryOffset) ? keys - queries : wire.queryOffset;
  if (queries > 0 && firstKey > 0 && position - left < firstKey) throw refusals.letGo(firstKey + left, firstKey, position);
}

/** The place of `'uniform'` in attn::EmptyRows. */
const emptyRowsUniform = 2;
