import { readBooleans } from './boolean-input.js';
import { broadcastStrides } from './broadcast.js';
import { refusals } from './errors.js';
import { isList } from './flatten.js';
import { isPositiveSize, isSize } from './sizes.js';
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
    const bias = readTensor('bias', value);
    settings.broadcast('bias', Float32Array, bias.data, broadcastStrides('bias', bias.shape, shape));
  },
  causal(value, { wire }) {
    wire.causal = boolean('causal', value);
  },
  queryOffset(value, { wire }) {
    wire.queryOffset = number('queryOffset', 'a whole number', value, (offset) => isSize(Math.abs(offset)));
  },
  window(value, settings) {
    const { left, right } = readWindow(value);
    settings.wire.windowLeft = left;
    settings.wire.windowRight = right;
    settings.window = typeof value === 'number' ? value : { left, right };
  },
  keyLengths(value, settings, { batch, keys }) {
    const expected = `${batch} whole number${batch === 1 ? '' : 's'} from 0 to ${keys} (one per batch entry)`;
    const lengths = list('keyLengths', expected, value);
    if (lengths.length !== batch) throw refusals.listLength('keyLengths', expected, `${lengths.length} of them`);
    lengths.forEach((length, b) => number(`keyLengths[${b}]`, `a whole number from 0 to ${keys}`, length, (n) => isSize(n) && n <= keys));
    settings.wire.keyLengths = settings.layout.addInput('keyLengths', Uint32Array, /** @type {number[]} */ (lengths));
  },
  allowKeys(value, settings, { batch, keys }) {
    const { data, shape } = readBooleans('allowKeys', value);
    const perBatch = shape.length === 2 && (shape[0] === batch || shape[0] === 1);
    if (!(shape.length === 1 || perBatch) || shape[shape.length - 1] !== keys) throw refusals.allowKeys(keys, batch, shape);
    settings.wire.allowKeys = settings.layout.addInput('allowKeys', Uint8Array, data);
    settings.wire.allowKeysStride = perBatch && shape[0] > 1 ? keys : 0;
  },
  allow(value, settings, shape) {
    const allow = readBooleans('allow', value);
    settings.broadcast('allow', Uint8Array, allow.data, broadcastStrides('allow', allow.shape, shape));
  },
  blocks(value, settings, { queries, keys }) {
    const { size, allow } = record('blocks', value, ['size', 'allow']);
    const [rows, columns] = pair('blocks.size', '[queries, keys], two whole numbers of at least 1', size);
    const { data, shape } = readBooleans('blocks.allow', allow);
    const expected = [Math.ceil(queries / rows), Math.ceil(keys / columns)];
    if (shape.length !== 2 || shape[0] !== expected[0] || shape[1] !== expected[1]) {
      throw refusals.listLength('blocks.allow', `${expected[0]} rows of ${expected[1]} booleans`, `shape [${shape.join(', ')}]`);
    }
    settings.wire.blocks = settings.layout.addInput('blocks', Uint8Array, data);
    settings.wire.blockQueries = rows;
    settings.wire.blockKeys = columns;
  },
  emptyRows(value, { wire }) {
    const choices = ['zero', 'nan', 'uniform'];
    if (typeof value !== 'string' || !choices.includes(value)) throw refusals.choice('emptyRows', choices, value);
    wire.emptyRows = choices.indexOf(value);
  },
  tile(value, { wire }) {
    const { queries, keys } = record('tile', value, ['queries', 'keys']);
    wire.tileQueries = number('tile.queries', 'a whole number of at least 1', queries, isPositiveSize);
    wire.tileKeys = number('tile.keys', 'a whole number of at least 1', keys, isPositiveSize);
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
};

/** Options of `engine.mask`: which keys a query may attend to. */
export const maskOptions = ['causal', 'queryOffset', 'window', 'keyLengths', 'allowKeys', 'allow', 'blocks'];

/** Options of `engine.scores`: what the softmax sees. */
export const scoreOptions = ['scale', 'scoring', 'softcap', 'bias', ...maskOptions];

/** Options of `engine.attention` and `engine.reference.attention`. */
export const attentionOptions = [
  ...scoreOptions, 'emptyRows', 'tile', 'returnWeights', 'returnScores', 'returnLogSumExp',
];

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
  return settings;
}

/**
 * An object that has no other properties than the known ones.
 * @param {string} name @param {unknown} value @param {readonly string[]} known
 * @returns {Record<string, unknown>}
 */
export function record(name, value, known) {
  if (typeof value !== 'object' || value === null || isList(value)) throw refusals.options(name, value);
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) throw refusals.unknown(name, key, known);
  }
  return /** @type {Record<string, unknown>} */ (value);
}

/** @param {string} name @param {string} expected @param {unknown} value @param {(value: number) => boolean} holds */
export function number(name, expected, value, holds) {
  if (typeof value !== 'number' || !holds(value)) throw refusals.number(name, expected, value);
  return value;
}

/** @param {string} name @param {unknown} value */
function boolean(name, value) {
  if (typeof value !== 'boolean') throw refusals.boolean(name, value);
  return value;
}

/** @param {string} name @param {string} expected @param {unknown} value */
function list(name, expected, value) {
  if (!isList(value)) throw refusals.listOf(name, expected, value);
  return Array.from(value);
}

/** @param {string} name @param {string} expected @param {unknown} value */
function pair(name, expected, value) {
  const items = list(name, expected, value);
  if (items.length !== 2) throw refusals.listLength(name, expected, `${items.length} values`);
  return items.map((item, i) => number(`${name}[${i}]`, 'a whole number of at least 1', item, isPositiveSize));
}

/**
 * The reach of a window to the left and right of a query's position. A width counts the query's own position: width 1
 * is itself alone. 0 is refused, since it means "no window" in one library and "nothing visible" in another.
 * @param {unknown} value
 */
function readWindow(value) {
  if (typeof value !== 'object' || value === null) {
    if (!isPositiveSize(value)) throw refusals.window(value);
    return { left: value - 1, right: value - 1 };
  }
  const { left, right } = record('window', value, ['left', 'right']);
  const isReach = (/** @type {number} */ reach) => isSize(reach) || reach === Infinity;
  return {
    left: number('window.left', 'a whole number of at least 0, or Infinity', left, isReach),
    right: number('window.right', 'a whole number of at least 0, or Infinity', right, isReach),
  };
}
