import { readBooleans } from './boolean-input.js';
import { broadcastStrides, ofEmptyRows } from './broadcast.js';
import { refusals } from './errors.js';
import { isList, requireAttached } from './lists.js';
import { boundPositions, readWindow } from './reach.js';
import { reading } from './reading.js';
import { record } from './record.js';
import { isSize, largestSize } from './sizes.js';
import { readTensor } from './tensor-input.js';

/** @typedef {import('./inputs.js').CallShape} CallShape */
/** @typedef {import('./settings.js').Settings} Settings */

/**
 * Every option there is: how its value is checked and put into the settings of the call.
 * @type {Record<string, (value: unknown, settings: Settings, shape: CallShape) => void>}
 */
const readers = {
  scale(value, { wire }) {
    wire.scale = number('scale', 'a finite number', value, Number.isFinite);
  },
  scoring(value) {
    const { kind } = record('scoring', value, ['kind']);
    if (kind !== 'scaled-dot') throw refusals.choice('scoring.kind', ['scaled-dot'], kind);
  },
  softcap(value, { wire }) {
    wire.softcap = number('softcap', 'a finite number above 0', value, (cap) => Number.isFinite(cap) && cap > 0);
  },
  bias(value, settings, shape) {
    const strides = (/** @type {readonly number[]} */ own) => broadcastStrides('bias', ofEmptyRows(value, own, shape), shape);
    const bias = readTensor('bias', value, strides);
    settings.broadcast('bias', settings.type, bias, strides(bias.shape));
  },
  causal(value, { wire }) {
    wire.causal = boolean('causal', value);
  },
  queryOffset(value, { wire }) {
    wire.queryOffset = number('queryOffset', 'a whole number', value, Number.isInteger);
  },
  window(value, settings) {
    if (settings.window !== null) throw refusals.secondWindow(settings.window, value);
    const { left, right } = readWindow(value);
    settings.wire.windowLeft = left;
    settings.wire.windowRight = right;
    settings.window = typeof value === 'number' ? value : { left, right };
  },
  keyLengths(value, settings, { batch, keys }) {
    const expected = `${batch} whole number${batch === 1 ? '' : 's'} from 0 to ${keys} (one per batch entry)`;
    const lengths = list('keyLengths', expected, value, batch);
    lengths.forEach((length, b) => number(`keyLengths[${b}]`, `a whole number from 0 to ${keys}`, length, (n) => isSize(n) && n <= keys));
    settings.wire.keyLengths = settings.layout.addInput('keyLengths', Uint32Array, { data: /** @type {number[]} */ (lengths), shape: [batch] });
  },
  allowKeys(value, settings, { batch, keys }) {
    const allowed = readBooleans('allowKeys', value, (shape) => {
      const perBatch = shape.length === 2 && (shape[0] === batch || shape[0] === 1);
      if (!(shape.length === 1 || perBatch) || shape[shape.length - 1] !== keys) throw refusals.allowKeys(keys, batch, shape);
    });
    settings.wire.allowKeys = settings.layout.addInput('allowKeys', Uint8Array, allowed);
    settings.wire.allowKeysStride = allowed.shape.length === 2 && allowed.shape[0] > 1 ? keys : 0;
  },
  allow(value, settings, shape) {
    const strides = (/** @type {readonly number[]} */ own) => broadcastStrides('allow', ofEmptyRows(value, own, shape), shape);
    const allow = readBooleans('allow', value, strides);
    settings.broadcast('allow', Uint8Array, allow, strides(allow.shape));
  },
  blocks(value, settings, { queries, keys }) {
    const { size, allow } = record('blocks', value, ['size', 'allow']);
    const [rows, columns] = pair('blocks.size', '[queries, keys], two whole numbers of at least 1', size);
    const across = { queries: Math.ceil(queries / rows), keys: Math.ceil(keys / columns) };
    const allowed = readBooleans('blocks.allow', allow, (own) => {
      const shape = ofEmptyRows(allow, own, across);
      if (shape.length === 2 && shape[0] === across.queries && shape[1] === across.keys) return;
      throw refusals.listLength('blocks.allow', `${across.queries} rows of ${across.keys} booleans`, `shape [${own.join(', ')}]`);
    });
    settings.wire.blocks = settings.layout.addInput('blocks', Uint8Array, allowed);
    settings.wire.blockQueries = rows;
    settings.wire.blockKeys = columns;
  },
  emptyRows(value, { wire }) {
    wire.emptyRows = choice('emptyRows', ['zero', 'nan', 'uniform'], value);
  },
  tile(value, { wire }) {
    const { queries, keys } = record('tile', value, ['queries', 'keys']);
    wire.tileQueries = extent('tile.queries', queries);
    wire.tileKeys = extent('tile.keys', keys);
  },
  returnWeights(value, settings) {
    settings.returnWeights = boolean('returnWeights', value);
  },
  returnScores(value, settings) {
    settings.returnScores = boolean('returnScores', value);
  },
  returnLogSumExp(value, settings) {
    settings.returnLogSumExp = boolean('returnLogSumExp', value);
  },
  signal(value, settings) {
    settings.signal = abortSignal(value);
  },
  onProgress(value, settings) {
    if (typeof value !== 'function') throw refusals.progress(value);
    settings.onProgress = /** @type {(done: number) => void} */ (value);
  },
};

/** Options of `engine.mask`: which keys a query may attend to. */
export const maskOptions = ['causal', 'queryOffset', 'window', 'keyLengths', 'allowKeys', 'allow', 'blocks'];

/** Options of `engine.scores`: what the softmax sees. */
export const scoreOptions = ['scale', 'scoring', 'softcap', 'bias', ...maskOptions];

/** Options of `engine.attention` and `engine.reference.attention`. */
export const attentionOptions = [
  ...scoreOptions, 'emptyRows', 'tile', 'returnWeights', 'returnScores', 'returnLogSumExp',
];

/** Options of `attend` of a cache, whose tiles are its pages. */
export const cacheOptions = attentionOptions.filter((name) => name !== 'tile' && name !== 'scoring');

/** Options of `engine.attentionAsync`. */
export const asyncOptions = [...attentionOptions, 'signal', 'onProgress'];

/**
 * Reads the given options into `settings`; an option that is undefined is one that was not given.
 * @param {unknown} options
 * @param {readonly string[]} known
 * @param {Settings} settings
 * @param {CallShape} shape
 */
export function readOptions(options, known, settings, shape) {
  const given = record('options', options ?? {}, known);
  for (const name of Object.keys(given)) {
    if (given[name] !== undefined) readers[name](given[name], settings, shape);
  }
  boundPositions(settings.wire, shape);
  return settings;
}

/** @param {string} name @param {string} expected @param {unknown} value @param {(value: number) => boolean} holds */
export function number(name, expected, value, holds) {
  if (typeof value !== 'number' || !holds(value)) throw refusals.number(name, expected, value);
  return value;
}

/** Queries or keys in a tile or block; beyond the largest size of an axis, more makes no difference. @param {string} name @param {unknown} value */
function extent(name, value) {
  return Math.min(number(name, 'a whole number of at least 1', value, (size) => Number.isInteger(size) && size > 0), largestSize);
}

/** Of any realm. @param {unknown} value @returns {AbortSignal} */
function abortSignal(value) {
  const tag = reading('signal', () => Object.prototype.toString.call(value));
  if (tag !== '[object AbortSignal]') throw refusals.signal(value);
  return /** @type {AbortSignal} */ (value);
}

/** @param {string} name @param {unknown} value */
export function boolean(name, value) {
  if (typeof value !== 'boolean') throw refusals.boolean(name, value);
  return value;
}

/** The place of a word among the choices. @param {string} name @param {readonly string[]} choices @param {unknown} value */
export function choice(name, choices, value) {
  if (typeof value !== 'string' || !choices.includes(value)) throw refusals.choice(name, choices, value);
  return choices.indexOf(value);
}

/** A copy of a list, whose length is checked first: a copy of a much longer one takes forever. @param {string} name @param {string} expected @param {unknown} value @param {number} length */
function list(name, expected, value, length) {
  if (!isList(value)) throw refusals.listOf(name, expected, value);
  return reading(name, () => {
    requireAttached(name, value);
    if (value.length !== length) throw refusals.listLength(name, expected, `${value.length} of them`);
    return Array.from({ length }, (_, i) => value[i]);
  });
}

/** @param {string} name @param {string} expected @param {unknown} value */
function pair(name, expected, value) {
  return list(name, expected, value, 2).map((item, i) => extent(`${name}[${i}]`, item));
}
