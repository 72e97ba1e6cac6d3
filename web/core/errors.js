/**
 * The library's error sentences, all of them. A refused call throws one of these and nothing else:
 * `argument: expected what, got what`, as a TypeError (the wrong kind of thing) or a RangeError
 * (the right kind, an impossible value). Loading has its own class because a page reacts to it.
 */

import { describe, nearest, oneOf, sizes } from './wording.js';

/** Every refusal there was, to tell them from errors of the caller's own. @type {WeakSet<object>} */
const refused = new WeakSet();

/** @param {unknown} problem */
export const isRefusal = (problem) => refused.has(/** @type {object} */ (problem));

/** @template {Error} E @param {E} error */
function refusal(error) {
  refused.add(error);
  return error;
}

/** @param {string} argument @param {string} expected @param {string} got */
const wrongKind = (argument, expected, got) => refusal(new TypeError(`${argument}: expected ${expected}, got ${got}`));

/** @param {string} argument @param {string} expected @param {string} got */
const wrongValue = (argument, expected, got) => refusal(new RangeError(`${argument}: expected ${expected}, got ${got}`));

/** @typedef {readonly number[]} Shape */

export const refusals = {
  // A proxy, a getter or a class of the caller's that throws while it is read
  unreadable: (/** @type {string} */ name, /** @type {unknown} */ cause) =>
    Object.assign(wrongKind(name, 'a value that can be read', `an error while reading it (${reason(cause)})`), { cause }),

  // Tensors
  tensor: (/** @type {string} */ name, /** @type {unknown} */ got) =>
    wrongKind(name, 'nested arrays of numbers or {data, shape}', describe(got)),
  booleanTensor: (/** @type {string} */ name) =>
    wrongKind(name, 'numbers', "booleans (dtype: 'bool')" + (name === 'bias' ? '; which keys may be attended to is said by `allow`' : '')),
  changed: (/** @type {string} */ name, /** @type {number} */ count, /** @type {number} */ got) =>
    wrongValue(name, `the ${count} values it had when the call began`, String(got)),
  data: (/** @type {string} */ name, /** @type {unknown} */ got) =>
    wrongKind(`${name}.data`, 'an array or typed array of numbers', describe(got)),
  element: (/** @type {string} */ name, /** @type {string} */ at, /** @type {string} */ kind, /** @type {unknown} */ got) =>
    wrongKind(name, `a ${kind} at ${at}`, describe(got)),
  ragged: (/** @type {string} */ name, /** @type {string} */ at, /** @type {string} */ expected, /** @type {string} */ got) =>
    wrongValue(name, `${expected} at ${at} like its neighbours`, got),
  rank: (/** @type {string} */ name, /** @type {readonly number[]} */ ranks, /** @type {Shape} */ shape) =>
    wrongValue(name, `rank ${oneOf(ranks)}`, `rank ${shape.length} (shape ${sizes(shape)})`),
  depth: (/** @type {string} */ name, /** @type {number} */ deepest) =>
    wrongValue(name, `arrays nested at most ${deepest} deep`, 'deeper ones'),
  shape: (/** @type {string} */ name, /** @type {unknown} */ got) =>
    wrongKind(`${name}.shape`, 'an array of sizes', describe(got)),
  axes: (/** @type {string} */ name, /** @type {number} */ most, /** @type {number} */ got) =>
    wrongValue(`${name}.shape`, `at most ${most} sizes`, String(got)),
  size: (/** @type {string} */ name, /** @type {number} */ largest, /** @type {unknown} */ got) =>
    wrongValue(name, `a whole number from 0 to ${largest}`, describe(got)),
  count: (/** @type {string} */ name, /** @type {string} */ expected, /** @type {number} */ got) =>
    wrongValue(name, expected, String(got)),
  outArray: (/** @type {string} */ name, /** @type {string} */ type, /** @type {unknown} */ got) =>
    wrongKind(name, `a ${type} or a tensor with one`, describe(got)),
  overlap: (/** @type {string} */ name, /** @type {string} */ other) =>
    wrongValue(name, `memory apart from that of ${other}`, 'some of the same'),
  detached: (/** @type {string} */ name) =>
    wrongKind(name, 'values', 'a view of a detached buffer (it was transferred away)'),
  width: (/** @type {string} */ name, /** @type {Shape} */ shape) =>
    wrongValue(name, 'rows of at least 1 value', `shape ${sizes(shape)}`),
  emptyList: (/** @type {string} */ name) =>
    wrongValue(name, 'a width; write an empty tensor as {data: [], shape: [0, width]}', 'an empty list'),

  // Tensors against each other
  sameRank: (/** @type {string} */ name, /** @type {number} */ rank, /** @type {string} */ like, /** @type {number} */ got) =>
    wrongValue(name, `rank ${rank} like ${like}`, `rank ${got}`),
  sameSize: (/** @type {string} */ name, /** @type {string} */ axis, /** @type {number} */ size, /** @type {string} */ like, /** @type {number} */ got) =>
    wrongValue(name, `${axis} ${size} like ${like}`, String(got)),
  sameShape: (/** @type {string} */ name, /** @type {Shape} */ shape, /** @type {string} */ like, /** @type {Shape} */ got) =>
    wrongValue(name, `shape ${sizes(shape)} like ${like}`, sizes(got)),
  headGroups: (/** @type {number} */ queryHeads, /** @type {number} */ kvHeads) =>
    wrongValue('q and k', 'query heads to be a multiple of the key/value heads', `${queryHeads} query heads and ${kvHeads} key/value heads`),
  broadcast: (/** @type {string} */ name, /** @type {Shape} */ full, /** @type {Shape} */ shape) =>
    wrongValue(name, `a shape that broadcasts from the right to ${sizes(full)}`, sizes(shape)),

  evenWidth: (/** @type {Shape} */ shape) =>
    wrongValue('x', 'an even width, or `dims` to say how much of it to turn', `shape ${sizes(shape)}`),
  gate: (/** @type {string} */ name, /** @type {Shape} */ full, /** @type {Shape} */ shape) =>
    wrongValue(name, `shape ${sizes(full.slice(0, -1))} or ${sizes(full)}, in which 1 repeats`, sizes(shape)),

  // Options
  options: (/** @type {string} */ name, /** @type {unknown} */ got) => wrongKind(name, 'an object', describe(got)),
  plain: (/** @type {string} */ name, /** @type {unknown} */ got) => {
    const kind = describe(got);
    return wrongKind(name, 'a plain object that has its options itself', kind === 'an object' ? 'one that inherits from another' : kind);
  },
  unknown: (/** @type {string} */ owner, /** @type {string} */ name, /** @type {readonly string[]} */ known) =>
    wrongKind(owner, `known names (${hint(name, known)})`, describe(name)),
  boolean: (/** @type {string} */ name, /** @type {unknown} */ got) => wrongKind(name, 'true or false', describe(got)),
  number: (/** @type {string} */ name, /** @type {string} */ expected, /** @type {unknown} */ got) =>
    (typeof got === 'number' ? wrongValue : wrongKind)(name, expected, describe(got)),
  choice: (/** @type {string} */ name, /** @type {readonly string[]} */ choices, /** @type {unknown} */ got) =>
    wrongKind(name, oneOf(choices.map((choice) => `'${choice}'`)), describe(got)),
  needed: (/** @type {string} */ name, /** @type {string} */ rule) =>
    wrongKind(name, `numbers, which rule '${rule}' needs`, 'undefined'),
  notUsed: (/** @type {string} */ name, /** @type {readonly string[]} */ rules, /** @type {unknown} */ got) =>
    wrongKind(name, `nothing without rule ${oneOf(rules.map((rule) => `'${rule}'`))}`, describe(got)),
  window: (/** @type {unknown} */ got) =>
    (typeof got === 'number' ? wrongValue : wrongKind)('window', 'a whole number of at least 1, or {left, right}', describe(got)),
  signal: (/** @type {unknown} */ got) => wrongKind('signal', 'an AbortSignal', describe(got)),
  callback: (/** @type {string} */ name, /** @type {unknown} */ got) => wrongKind(name, 'a function', describe(got)),
  answer: (/** @type {string} */ name, /** @type {string} */ expected, /** @type {readonly number[]} */ [b, h, i, j], /** @type {unknown} */ got) =>
    wrongKind(name, `${expected} for b ${b}, h ${h}, i ${i}, j ${j}`, describe(got)),
  notHere: (/** @type {string} */ name, /** @type {string} */ expected, /** @type {string} */ call, /** @type {string} */ why, /** @type {unknown} */ got) =>
    wrongKind(name, `${expected} in ${call}, which ${why}`, describe(got)),
  biasAlone: () => wrongKind('bo', 'nothing without wo', 'a bias'),
  oneTarget: (/** @type {boolean} */ both) => wrongKind('target', 'either component or direction', both ? 'both' : 'neither'),
  parameter: (/** @type {string} */ name, /** @type {string} */ expected, /** @type {Shape} */ shape) =>
    wrongValue(name, `shape ${expected}`, sizes(shape)),
  traceSize: (/** @type {number} */ most, /** @type {string} */ numbers) =>
    wrongValue('trace', `at most ${most} numbers (queries × tiles of keys × (width of a value + 2))`, `a call with ${numbers}`),
  booleans: (/** @type {string} */ name, /** @type {unknown} */ got) =>
    wrongKind(name, 'booleans (true = may attend): nested arrays, or {data, shape} with a boolean array or with dtype: \'bool\'', describe(got)),
  numericMask: (/** @type {string} */ name) =>
    wrongKind(name, 'booleans (true = may attend)', 'numbers; to add numbers to the scores use `bias`, and 0/1 bytes meant as booleans need dtype: \'bool\''),
  allowKeys: (/** @type {number} */ keys, /** @type {number} */ batch, /** @type {Shape} */ shape) =>
    wrongValue('allowKeys', `booleans [${keys}] (one per key) or [${batch}, ${keys}] (batch by keys)`, sizes(shape)),
  listOf: (/** @type {string} */ name, /** @type {string} */ expected, /** @type {unknown} */ got) =>
    wrongKind(name, expected, describe(got)),
  listLength: (/** @type {string} */ name, /** @type {string} */ expected, /** @type {string} */ got) =>
    wrongValue(name, expected, got),

  // Caches
  secondWindow: (/** @type {unknown} */ own, /** @type {unknown} */ got) =>
    wrongKind('window', `none beside that of the cache (${typeof own === 'number' ? own : JSON.stringify(own)})`, describe(got)),
  cacheHeads: (/** @type {number} */ kvHeads, /** @type {number} */ got) =>
    wrongValue('q', `heads that are a multiple of the cache's ${kvHeads} key/value heads`, String(got)),
  full: (/** @type {number} */ most, /** @type {string} */ why, /** @type {number} */ got) =>
    wrongValue('k', `at most ${most} more keys (${why})`, String(got)),
  letGo: (/** @type {number} */ least, /** @type {number} */ firstKey, /** @type {number} */ got) =>
    wrongValue('q', `queries at positions from ${least} on (the window of the cache has let go of the keys before ${firstKey})`, `one at position ${got}`),
  uniformWindow: () =>
    wrongValue('emptyRows', "'zero' or 'nan' in a cache with a window (it lets go of keys that the mean would need)", "'uniform'"),
  beyondHalf: (/** @type {string} */ name, /** @type {number} */ got) =>
    wrongValue(name, "numbers up to 65504 in size, the largest of dtype 'f16'", String(got)),
  cacheChanged: (/** @type {string} */ name, /** @type {number} */ length, /** @type {number} */ got) =>
    wrongValue(name, `the ${length} keys that the cache had when the call began`, String(got)),
  cacheDisposed: (/** @type {string} */ name) =>
    wrongKind(name, 'a live cache', 'one that was disposed; call createKvCache() for a new one'),
  cacheLost: (/** @type {string} */ name) =>
    wrongKind(name, 'a live cache', 'one that was lost when the engine had to be started again; call createKvCache() and append its keys again'),

  // Loading
  wasm: (/** @type {unknown} */ got) =>
    wrongKind('wasm', 'a URL, an ArrayBuffer, a Response or a WebAssembly.Module', describe(got)),
  detachedWasm: () => wrongKind('wasm', 'bytes', 'a detached buffer (it was transferred away)'),
  variant: (/** @type {string} */ wanted, /** @type {string} */ got, /** @type {string} */ where) =>
    wrongValue('variant', `'${wanted}', as asked for`, `the '${got}' build from ${where}`),

  // Memory and life time
  tooLarge: (/** @type {string} */ name, /** @type {number} */ limit, /** @type {string} */ bytes, /** @type {string} */ what) =>
    wrongValue(name, `a call that needs at most ${limit} bytes`, `one that needs ${bytes} bytes (${what})`),
  outOfMemory: (/** @type {string} */ name, /** @type {number} */ bytes) =>
    wrongValue(name, `at least ${bytes} bytes of free memory on this device`, 'less'),
  overflow: (/** @type {string} */ name) =>
    wrongValue(name, 'room on the stack for the call', 'a stack that overflows (is there a function that calls itself without end?)'),
  status: (/** @type {string} */ name, /** @type {string} */ status) =>
    wrongValue(name, 'sizes and options that the core accepts', status),
  disposed: (/** @type {string} */ name) =>
    wrongKind(name, 'a live engine', 'one that was disposed; call loadEngine() for a new one'),
  lost: (/** @type {string} */ name) =>
    wrongKind(name, 'a live engine', 'one that ran out of memory and could not be started again; call loadEngine() for a new one'),
};

/**
 * Why an engine could not be loaded. `code` is for programs, the message for people.
 * `unsupported`: no WebAssembly (or no SIMD where it was asked for); `fetch`: nothing came back;
 * `html`: a web page came back in place of the wasm; `compile`: the bytes are not this engine.
 */
export class EngineLoadError extends Error {
  /**
   * @param {'unsupported' | 'fetch' | 'html' | 'compile'} code
   * @param {string} message
   * @param {unknown} [cause]
   */
  constructor(code, message, cause) {
    super(message);
    this.name = 'EngineLoadError';
    this.code = code;
    /** @type {unknown} */
    this.cause = cause;
  }
}

export const loadErrors = {
  noWebAssembly: () =>
    new EngineLoadError('unsupported', 'loadEngine: expected WebAssembly, got none: this browser or its settings do not support it'),
  unsupported: (/** @type {string} */ expected, /** @type {string} */ variant) =>
    new EngineLoadError('unsupported', `variant: expected ${expected} here, got '${variant}', which this WebAssembly engine does not support`),
  fetch: (/** @type {string} */ url, /** @type {unknown} */ cause) =>
    new EngineLoadError('fetch', `wasm: expected the module at ${url}, got no answer`, cause),
  status: (/** @type {string} */ url, /** @type {number} */ status) =>
    new EngineLoadError('fetch', `wasm: expected the module at ${url}, got status ${status}`),
  file: (/** @type {string} */ url) =>
    new EngineLoadError('fetch', `wasm: expected a URL that can be fetched, got ${url}: read the file and pass its bytes`),
  body: (/** @type {string} */ url, /** @type {unknown} */ cause) =>
    new EngineLoadError('fetch', `wasm: expected an unread response from ${url}, got one whose body could not be read`, cause),
  html: (/** @type {string} */ url) =>
    new EngineLoadError('html', `wasm: expected a WebAssembly module from ${url}, got an HTML page`),
  compile: (/** @type {string} */ where, /** @type {unknown} */ cause) =>
    new EngineLoadError('compile', `wasm: expected a WebAssembly module from ${where}, got bytes that do not compile (${reason(cause)})`, cause),
  instantiate: (/** @type {string} */ where, /** @type {unknown} */ cause) =>
    new EngineLoadError('compile', `wasm: expected this version's engine from ${where}, got another module (${reason(cause)})`, cause),
};

/** The known name that a mistyped one is close to, or all there are. @param {string} name @param {readonly string[]} known */
function hint(name, known) {
  const meant = nearest(name, known);
  return meant === undefined ? known.join(', ') : `did you mean ${JSON.stringify(meant)}?`;
}

/** @param {unknown} cause */
function reason(cause) {
  try {
    return cause instanceof Error ? String(cause.message) : describe(cause);
  } catch {
    return describe(cause);
  }
}
