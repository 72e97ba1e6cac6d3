// Every option that is refused, with its sentence.
import { describe, test } from 'node:test';
import { loadEngine } from 'attn-widgets';
import { refuses } from './support/refuses.js';
import { zeros } from './support/tensors.js';

const engine = await loadEngine();
const [q, k, v] = [zeros(2, 1, 2, 4), zeros(2, 1, 3, 4), zeros(2, 1, 3, 4)]; // batch 2, queries 2, keys 3

/** @param {string} name @param {any} options @param {typeof TypeError | typeof RangeError} kind @param {string} sentence */
const refused = (name, options, kind, sentence) =>
  test(name, () => refuses(engine, () => engine.attention(q, k, v, options), kind, sentence));

describe('unknown options', () => {
  refused('a typing mistake names the nearest', { casual: true }, TypeError, 'options: expected known names (did you mean "causal"?), got "casual"');
  refused('another library\'s name', { returnweights: true }, TypeError, 'options: expected known names (did you mean "returnWeights"?), got "returnweights"');
  refused('inside an option', { window: { lefft: 1, right: 1 } }, TypeError, 'window: expected known names (did you mean "left"?), got "lefft"');
  for (const [options, got] of [[5, '5'], ['causal', '"causal"'], [[], 'an array of length 0'], [true, 'true']]) {
    refused(`${got} in place of the options`, options, TypeError, `options: expected an object, got ${got}`);
  }
});

describe('numbers and switches', () => {
  for (const scale of [NaN, Infinity, -Infinity]) refused(`scale ${scale}`, { scale }, RangeError, `scale: expected a finite number, got ${scale}`);
  refused('scale as text', { scale: '1' }, TypeError, 'scale: expected a finite number, got "1"');
  refused('scale null', { scale: null }, TypeError, 'scale: expected a finite number, got null');
  for (const softcap of [0, -1, NaN, Infinity]) refused(`softcap ${softcap}`, { softcap }, RangeError, `softcap: expected a finite number above 0, got ${softcap}`);
  refused('causal 1', { causal: 1 }, TypeError, 'causal: expected true or false, got 1');
  refused('returnWeights "yes"', { returnWeights: 'yes' }, TypeError, 'returnWeights: expected true or false, got "yes"');
  for (const queryOffset of [0.5, NaN, Infinity]) refused(`queryOffset ${queryOffset}`, { queryOffset }, RangeError, `queryOffset: expected a whole number, got ${queryOffset}`);
  refused('emptyRows', { emptyRows: 'none' }, TypeError, 'emptyRows: expected \'zero\', \'nan\' or \'uniform\', got "none"');
  refused('tile of 0', { tile: { queries: 0, keys: 8 } }, RangeError, 'tile.queries: expected a whole number of at least 1, got 0');
  refused('half a tile', { tile: { queries: 8 } }, TypeError, 'tile.keys: expected a whole number of at least 1, got undefined');
});

describe('window', () => {
  for (const window of [0, -1, 1.5, NaN, Infinity]) refused(String(window), { window }, RangeError, `window: expected a whole number of at least 1, or {left, right}, got ${window}`);
  refused('as text', { window: '8' }, TypeError, 'window: expected a whole number of at least 1, or {left, right}, got "8"');
  refused('null', { window: null }, TypeError, 'window: expected a whole number of at least 1, or {left, right}, got null');
  refused('a negative reach', { window: { left: -1, right: 0 } }, RangeError, 'window.left: expected a whole number of at least 0, or Infinity, got -1');
  refused('one side only', { window: { left: 1 } }, TypeError, 'window.right: expected a whole number of at least 0, or Infinity, got undefined');
});

describe('masks', () => {
  const numeric = "got numbers; to add numbers to the scores use `bias`, and 0/1 bytes meant as booleans need dtype: 'bool'";
  const allowed = `allow: expected booleans (true = may attend), ${numeric}`;
  refused('a Float32Array as allow', { allow: new Float32Array(3) }, TypeError, allowed);
  refused('numbers as allow', { allow: [1, 0, 1] }, TypeError, allowed);
  refused('nested numbers as allow', { allow: [[1, 0, 1], [1, 1, 1]] }, TypeError, allowed);
  refused('{data, shape} of numbers as allow', { allow: { data: new Float32Array(6), shape: [2, 3] } }, TypeError, allowed);
  refused('bytes that do not say they are booleans', { allow: { data: new Uint8Array(6), shape: [2, 3] } }, TypeError, allowed);
  refused('bytes of another type', { allow: { data: new Uint8Array(6), shape: [2, 3], dtype: 'uint8' } }, TypeError, allowed);
  refused('nested arrays as data', { allow: { data: [[true, true], [true, true], [true, true]], shape: [3] } }, TypeError, 'allow.data: expected a boolean at [0], got an array of length 2');
  refused('numbers as allowKeys', { allowKeys: [1, 0, 1] }, TypeError, `allowKeys: expected booleans (true = may attend), ${numeric}`);
  refused('texts as allow', { allow: ['yes', 'no', 'no'] }, TypeError, 'allow: expected a boolean at [0], got "yes"');
  refused('one boolean', { allow: true }, TypeError, "allow: expected booleans (true = may attend): nested arrays, or {data, shape} with a boolean array or with dtype: 'bool', got true");
  refused('allow that does not broadcast', { allow: [[true, true], [true, true]] }, RangeError, 'allow: expected a shape that broadcasts from the right to [2, 1, 2, 3], got [2, 2]');
  refused('bias that does not broadcast', { bias: [[0, 0, 0], [0, 0, 0], [0, 0, 0]] }, RangeError, 'bias: expected a shape that broadcasts from the right to [2, 1, 2, 3], got [3, 3]');
  refused('booleans as bias', { bias: [true, false, true] }, TypeError, 'bias: expected a number at [0], got true');
  refused('a padding mask along the queries', { allowKeys: [true, true] }, RangeError, 'allowKeys: expected booleans [3] (one per key) or [2, 3] (batch by keys), got [2]');
  refused('a padding mask for three batches', { allowKeys: [[true, true, true], [true, true, true], [true, true, true]] }, RangeError, 'allowKeys: expected booleans [3] (one per key) or [2, 3] (batch by keys), got [3, 3]');
  refused('too few lengths', { keyLengths: [3] }, RangeError, 'keyLengths: expected 2 whole numbers from 0 to 3 (one per batch entry), got 1 of them');
  refused('a length beyond the keys', { keyLengths: [3, 4] }, RangeError, 'keyLengths[1]: expected a whole number from 0 to 3, got 4');
  refused('one length for all', { keyLengths: 3 }, TypeError, 'keyLengths: expected 2 whole numbers from 0 to 3 (one per batch entry), got 3');
  refused('blocks of the wrong number', { blocks: { size: [2, 2], allow: [[true]] } }, RangeError, 'blocks.allow: expected 1 rows of 2 booleans, got shape [1, 1]');
  refused('blocks of no size', { blocks: { size: [0, 2], allow: [[true]] } }, RangeError, 'blocks.size[0]: expected a whole number of at least 1, got 0');
});

describe('sizes', () => {
  test('weights that memory cannot hold are refused with the bytes they need; the output alone is computed', () => {
    const long = zeros(32768, 1);
    refuses(engine, () => engine.attention(long, long, long, { returnWeights: true }), RangeError,
      /^attention: expected a call that needs at most 268435456 bytes, got one that needs 4295491584 bytes \(most of it for weights of shape \[32768, 32768\]\)$/);
    engine.attention(long, long, long, { window: { left: 16, right: 0 } });
  });
  test('counts beyond exact numbers', () => {
    refuses(engine, () => engine.mask({ batch: 2 ** 31 - 1, heads: 2 ** 31 - 1, queries: 2 ** 31 - 1, keys: 2 ** 31 - 1 }), RangeError,
      /got one that needs 21267647892944572736998860269687930881 bytes/);
  });
});
