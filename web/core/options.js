import { readBooleans } from './boolean-input.js';
import { broadcastStrides, ofEmptyRows } from './broadcast.js';
import { refusals } from './errors.js';
import { abortSignal, boolean, callback, choice, extent, list, number, pair } from './option-values.js';
import { boundPositions, readWindow } from './reach.js';
import { record } from './record.js';
import { readScoring, requireWidths } from './scoring.js';
import { isSize } from './sizes.js';
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
  scoring: readScoring,
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
  out(value, settings) {
    settings.out = value; // read when it is known which outputs there will be
  },
  signal(value, settings) {
    settings.signal = abortSignal(value);
  },
  onProgress(value, settings) {
    settings.onProgress = callback('onProgress', value);
  },
  scoreMod(value, settings) {
    settings.scoreMod = callback('scoreMod', value);
  },
  maskMod(value, settings) {
    settings.maskMod = callback('maskMod', value);
  },
  trace(value, settings) {
    settings.trace = boolean('trace', value);
  },
};

/** Options of `engine.mask`: which keys a query may attend to. */
export const maskOptions = ['causal', 'queryOffset', 'window', 'keyLengths', 'allowKeys', 'allow', 'blocks', 'maskMod'];

/** Options of `engine.scores`: what the softmax sees. */
export const scoreOptions = ['scale', 'scoring', 'softcap', 'scoreMod', 'bias', ...maskOptions];

/** Options of `engine.reference.attention`. */
export const attentionOptions = [
  ...scoreOptions, 'emptyRows', 'tile', 'returnWeights', 'returnScores', 'returnLogSumExp', 'out',
];

/** Options of `attend` of a cache, whose tiles are its pages and whose keys no function can be shown. */
export const cacheOptions = attentionOptions.filter((name) => name !== 'tile' && name !== 'scoreMod');

/** Options of `engine.attention`. */
export const tiledOptions = [...attentionOptions, 'trace'];

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
  requireWidths(settings, shape);
  return settings;
}
