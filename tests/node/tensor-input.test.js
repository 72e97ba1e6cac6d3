// The forms an input may have, and the sentence for each it may not have.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadEngine } from 'attn-widgets';
import { assertClose } from './support/close.js';
import { refuses } from './support/refuses.js';
import { zeros } from './support/tensors.js';

const engine = await loadEngine();
const keys = [[1, 0], [0, 1]];
const values = [[2, 0], [0, 4]];
const expected = engine.attention([[1, 0]], keys, values).output.data;

describe('inputs that are accepted', () => {
  const same = (/** @type {string} */ name, /** @type {any} */ q) => test(name, () => assert.deepEqual(engine.attention(q, keys, values).output.data, expected));

  same('nested arrays', [[1, 0]]);
  same('nested arrays with typed rows', [new Float64Array([1, 0])]);
  same('{data, shape} with a plain array', { data: [1, 0], shape: [1, 2] });
  for (const type of [Float32Array, Float64Array, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array]) {
    same(`{data, shape} with a ${type.name}`, { data: new type([1, 0]), shape: [1, 2] });
  }
  same('a view of a larger buffer', { data: new Float32Array([9, 9, 1, 0, 9]).subarray(2, 4), shape: [1, 2] });
  same('a view of shared memory', { data: new Float32Array(new SharedArrayBuffer(8)).fill(1, 0, 1), shape: [1, 2] });
  same('a shape that is a typed array', { data: [1, 0], shape: new Int32Array([1, 2]) });
  same('a result of the engine', engine.reference.attention([[1, 0]], [[1, 0]], [[1, 0]]).output);

  test('a frozen input, which stays as it is', () => {
    const q = Object.freeze({ data: Object.freeze([1, 0]), shape: Object.freeze([1, 2]) });
    assertClose(engine.attention(q, keys, values).output.data, expected);
  });
});

describe('inputs that are refused', () => {
  /** @param {string} name @param {any} value @param {typeof TypeError | typeof RangeError} kind @param {string} sentence */
  const q = (name, value, kind, sentence) => test(name, () => refuses(engine, () => engine.attention(value, keys, values), kind, sentence));

  q('undefined', undefined, TypeError, 'q: expected nested arrays of numbers or {data, shape}, got undefined');
  q('null', null, TypeError, 'q: expected nested arrays of numbers or {data, shape}, got null');
  q('a string', 'q', TypeError, 'q: expected nested arrays of numbers or {data, shape}, got "q"');
  q('an object without a shape', { data: [1, 0] }, TypeError, 'q: expected nested arrays of numbers or {data, shape}, got an object');
  q('a DataView', new DataView(new ArrayBuffer(8)), TypeError, 'q: expected nested arrays of numbers or {data, shape}, got an object (DataView)');
  q('bigints', { data: new BigInt64Array(2), shape: [1, 2] }, TypeError, 'q.data: expected an array or typed array of numbers, got BigInt64Array of length 2');
  q('a bare buffer', { data: new ArrayBuffer(8), shape: [1, 2] }, TypeError, 'q.data: expected an array or typed array of numbers, got an object (ArrayBuffer)');
  q('a string among the numbers', [[1, '0']], TypeError, 'q: expected a number at [0][1], got "0"');
  q('a boolean among the numbers', { data: [true, 0], shape: [1, 2] }, TypeError, 'q.data: expected a number at [0], got true');
  q('a hole', [[1, , ]], TypeError, 'q: expected a number at [0][1], got undefined'); // eslint-disable-line no-sparse-arrays
  q('deeper than the first element', [[1, [0]]], TypeError, 'q: expected a number at [0][1], got an array of length 1');
  q('shallower than the first element', [[1, 0], 3], TypeError, 'q: expected a list of 2 values at [1], got 3');
  q('ragged', [[1, 0], [3]], RangeError, 'q: expected 2 values at [1] like its neighbours, got 1');
  q('a vector', [1, 0], RangeError, 'q: expected rank 2, 3 or 4, got rank 1 (shape [2])');
  q('a typed vector', new Float32Array(2), RangeError, 'q: expected rank 2, 3 or 4, got rank 1 (shape [2])');
  q('five axes', [[[[[1]]]]], RangeError, 'q: expected arrays nested at most 4 deep, got deeper ones');
  q('five sizes', { data: [1], shape: [1, 1, 1, 1, 1] }, RangeError, 'q.shape: expected at most 4 sizes, got 5');
  q('no sizes', { data: [1], shape: [] }, RangeError, 'q: expected rank 2, 3 or 4, got rank 0 (shape [])');
  q('a number as shape', { data: [1], shape: 1 }, TypeError, 'q.shape: expected an array of sizes, got 1');
  for (const size of [NaN, -1, 1.5, Infinity, 2 ** 31]) {
    q(`a size of ${size}`, { data: [1, 0], shape: [size, 2] }, RangeError, `q.shape[0]: expected a whole number from 0 to 2147483647, got ${size}`);
  }
  q('a text as size', { data: [1, 0], shape: ['1', 2] }, RangeError, 'q.shape[0]: expected a whole number from 0 to 2147483647, got "1"');
  q('too few values', { data: new Float32Array(500), shape: [2, 16, 16] }, RangeError, 'q: expected 512 values (heads 2 × queries 16 × headDim 16), got 500');
  q('a shape far beyond its values', { data: [], shape: [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1] }, RangeError,
    'q: expected 9903520300447984150353281023 values (heads 2147483647 × queries 2147483647 × headDim 2147483647), got 0');
  q('rows without values', { data: [], shape: [2, 0] }, RangeError, 'q: expected rows of at least 1 value, got shape [2, 0]');

  test('one row repeated to more values than memory could hold', () => {
    /** @type {any} */
    let rows = [1];
    for (let i = 0; i < 3; i++) rows = new Array(20000).fill(rows);
    refuses(engine, () => engine.attention(rows, rows, rows), RangeError, /^q: expected a call that needs at most 268435456 bytes, got one that needs 32000000000000 bytes/);
  });

  test('a transferred buffer', () => {
    const data = new Float32Array([1, 0]);
    structuredClone(data.buffer, { transfer: [data.buffer] });
    refuses(engine, () => engine.attention({ data, shape: [1, 2] }, keys, values), TypeError, 'q: expected values, got a view of a detached buffer (it was transferred away)');
  });
});

describe('inputs that do not fit each other', () => {
  /** @param {string} name @param {import('attn-widgets').TensorInput[]} inputs @param {string} sentence */
  const misfit = (name, [q, k, v], sentence) => test(name, () => refuses(engine, () => engine.attention(q, k, v), RangeError, sentence));

  misfit('widths', [zeros(1, 3), zeros(2, 2), zeros(2, 2)], 'k: expected width 3 like q, got 2');
  misfit('ranks', [zeros(1, 2), zeros(1, 2, 2), zeros(1, 2, 2)], 'k: expected rank 2 like q, got rank 3');
  misfit('ranks of values', [zeros(1, 2), zeros(2, 2), zeros(1, 2, 2)], 'v: expected rank 2 like q, got rank 3');
  misfit('numbers of keys', [zeros(1, 2), zeros(5, 2), zeros(4, 2)], 'v: expected number of keys 5 like k, got 4');
  misfit('heads of keys and values', [zeros(4, 1, 2), zeros(2, 1, 2), zeros(1, 1, 2)], 'v: expected heads 2 like k, got 1');
  misfit('batches', [zeros(2, 1, 1, 2), zeros(1, 1, 1, 2), zeros(1, 1, 1, 2)], 'k: expected batch 2 like q, got 1');
  for (const [hq, hk] of [[3, 2], [1, 2], [2, 0], [0, 2]]) {
    misfit(`${hq} query heads over ${hk}`, [zeros(hq, 1, 2), zeros(hk, 1, 2), zeros(hk, 1, 2)],
      `q and k: expected query heads to be a multiple of the key/value heads, got ${hq} query heads and ${hk} key/value heads`);
  }
  misfit('lists without any width', [[], [], []], 'q: expected a width; write an empty tensor as {data: [], shape: [0, width]}, got an empty list');
  misfit('values without width', [zeros(1, 2), zeros(2, 2), zeros(2, 0)], 'v: expected rows of at least 1 value, got shape [2, 0]');
});
