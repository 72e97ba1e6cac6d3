// Values that run code of the caller's while they are read: what that throws is the cause of a refusal that names the argument.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadEngine } from 'attn-widgets';
import { refuses } from './support/refuses.js';

const engine = await loadEngine();
const two = [[1, 0], [0, 1]];

/** @param {any} options @param {any} [q] */
const attend = (options, q = two) => engine.attention(q, two, two, options);

describe('what throws while it is read', () => {
  const mine = new Error('mine');
  const throwing = () => {
    throw mine;
  };
  /** A proxy that throws at one kind of access. @param {any} target @param {string} trap */
  const trapped = (target, trap) => new Proxy(target, { [trap]: throwing });
  const list = [1, 0];
  Object.defineProperty(list, 1, { get: throwing });
  class Odd extends Float32Array {
    /** @returns {any} */
    get length() {
      return throwing();
    }
  }
  const flat = { data: [1, 0, 0, 1], shape: [2, 2] };
  /** @type {Record<string, [string, () => unknown]>} */
  const calls = {
    'a list': ['q', () => attend({}, trapped(two, 'get'))],
    'a row': ['q', () => attend({}, [trapped([1, 0], 'get'), [0, 1]])],
    'an element': ['q', () => attend({}, [list, [0, 1]])],
    'an object of data and shape': ['q', () => attend({}, trapped(flat, 'get'))],
    'what an object has': ['q', () => attend({}, trapped(flat, 'has'))],
    'its data': ['q', () => attend({}, { ...flat, data: trapped(flat.data, 'get') })],
    'its shape': ['q', () => attend({}, { ...flat, shape: trapped(flat.shape, 'get') })],
    'a row of an odd class': ['q', () => attend({}, [new Odd(2), [0, 1]])],
    'the keys of options': ['options', () => attend(trapped({ causal: true }, 'ownKeys'))],
    'an option': ['options', () => attend({ get causal() { return throwing(); } })],
    'a window': ['window', () => attend({ window: trapped({ left: 1, right: 1 }, 'get') })],
    'a mask': ['allow', () => attend({ allow: trapped([[true, false]], 'get') })],
    'a mask of data and shape': ['allow', () => attend({ allow: { data: trapped([true, true], 'get'), shape: [2] } })],
    lengths: ['keyLengths', () => attend({ keyLengths: trapped([2], 'get') })],
    'the options of mask': ['options', () => engine.mask(trapped({ queries: 1, keys: 1 }, 'get'))],
    'the options of softmax': ['options', () => engine.softmax([1], trapped({ stable: true }, 'get'))],
  };
  for (const [name, [argument, call]] of Object.entries(calls)) {
    test(name, () => {
      refuses(engine, call, TypeError, `${argument}: expected a value that can be read, got an error while reading it (mine)`);
      assert.throws(call, (/** @type {any} */ error) => error.cause === mine);
    });
  }
  test('the options of loadEngine, and its module', async () => {
    const cause = mine;
    await assert.rejects(loadEngine(trapped({}, 'ownKeys')), { name: 'TypeError', message: 'options: expected a value that can be read, got an error while reading it (mine)', cause });
    await assert.rejects(loadEngine({ wasm: trapped({}, 'get') }), { name: 'TypeError', message: 'wasm: expected a value that can be read, got an error while reading it (mine)', cause });
  });
  test('the length of a typed array is not asked of its class', () =>
    assert.deepEqual(attend({}, { ...flat, data: new Odd([1, 0, 0, 1]) }).output, attend({}, flat).output));
  test('a typed array behind a proxy', () => refuses(engine, () => attend({}, { ...flat, data: new Proxy(new Float32Array(4), {}) }), TypeError, /^q: expected a value that can be read, got an error while reading it \(/));
  test('a getter without end is a stack that overflows, not an input that cannot be read', () => {
    const options = { get causal() { return this.causal; } };
    refuses(engine, () => attend(options), RangeError, 'options: expected room on the stack for the call, got a stack that overflows (is there a function that calls itself without end?)');
  });
  test('what is thrown need not be an error', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const [thrown, said] of [[null, 'null'], [proxy, 'an object that cannot be read']]) {
      const options = {
        get causal() {
          throw thrown;
        },
      };
      refuses(engine, () => attend(options), TypeError, `options: expected a value that can be read, got an error while reading it (${said})`);
    }
  });
});
