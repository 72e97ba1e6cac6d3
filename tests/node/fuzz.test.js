// Thousands of calls with anything at all: only TypeError and RangeError come out, and the engine stays right.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';
import { assertStillRight } from './support/refuses.js';

const rounds = 4000;
const optionNames = ['scale', 'scoring', 'softcap', 'bias', 'causal', 'queryOffset', 'window', 'keyLengths', 'allowKeys', 'allow', 'blocks',
  'emptyRows', 'tile', 'returnWeights', 'returnScores', 'returnLogSumExp', 'queries', 'keys', 'heads', 'batch', 'casual', 'constructor', '__proto__x', ''];

/** Values of every kind, some of them nearly right. @param {number} seed */
function generator(seed) {
  const random = randomFrom(seed);
  const numbers = [0, 1, 2, 3, -1, -0, 0.5, NaN, Infinity, -Infinity, 1e-320, 3.5e38, 1e300, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 31)];
  /** @type {any[]} */
  const cyclic = [];
  cyclic.push(cyclic);
  const { proxy: revoked, revoke } = Proxy.revocable([], {});
  revoke();
  const detached = new Float32Array(4);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  /** @type {any[]} */
  const odd = [undefined, null, '', 'causal', '1', true, false, 10n, Symbol('s'), () => 1, new Date(0), /x/, new Map(), new Set([1]), cyclic, revoked,
    { data: detached, shape: [2, 2] }, { data: detached, shape: [0, 2] }, new DataView(new ArrayBuffer(4)), new BigInt64Array(2), new ArrayBuffer(8), Promise.resolve(1), Object.create(null), new Proxy({}, {}),
    { valueOf: () => 2 }, [[]], [], [[[]]], [null], [[undefined]], new Array(3), { length: 2 ** 32 }, { data: { length: 4 }, shape: [2, 2] }];
  const number = () => random.pick(numbers);
  /** @returns {any} */
  const size = () => random.pick([0, 1, 2, 3, 4, 5, ...numbers]);
  /** @param {number} depth @returns {any} */
  const nested = (depth) => (depth === 0 ? random.pick([number, () => random.next() < 0.5, anything])() : Array.from({ length: random.whole(0, 3) }, () => nested(depth - 1)));
  const typed = () => new (random.pick([Float32Array, Float64Array, Uint8Array, Int32Array]))(random.whole(0, 8));
  /** @returns {any} */
  const flat = () => ({ data: random.pick([typed, () => nested(1), anything])(), shape: random.pick([() => Array.from({ length: random.whole(0, 5) }, size), anything])(), ...(random.next() < 0.3 && { dtype: 'bool' }) });
  /** A tensor that is right, of small sizes. */
  const right = () => random.tensor(random.pick([[2, 3], [3, 3], [1, 2, 3], [2, 2, 3], [1, 1, 2, 3], [0, 3], [2, 1, 2, 3]]));
  /** @param {number} depth @returns {any} */
  const booleans = (depth) => (depth === 0 ? random.next() < 0.5 : Array.from({ length: random.whole(1, 3) }, () => booleans(depth - 1)));
  const record = () => Object.fromEntries(Array.from({ length: random.whole(0, 3) }, () => [random.pick(['left', 'right', 'queries', 'keys', 'size', 'allow', 'kind', 'x']), random.pick([size, anything])()]));
  let deep = 0;
  /** @returns {any} */
  function anything() {
    if (deep > 3) return random.pick(odd);
    deep++;
    try {
      return random.pick([() => random.pick(odd), number, () => nested(random.whole(1, 5)), typed, flat, right, () => booleans(random.whole(1, 3)), record])();
    } finally {
      deep--;
    }
  }
  /** @returns {any} */
  const tensor = () => random.pick([right, right, right, anything])();
  /** @returns {any} */
  const options = () => (random.next() < 0.1 ? anything() : Object.fromEntries(Array.from({ length: random.whole(0, 4) }, () => [random.pick(optionNames), random.pick([anything, number, () => true, () => booleans(2)])()])));
  return { random, tensor, options, anything, size };
}

for (const { variant, engine } of engines) {
  describe(`anything at all (${variant})`, () => {
    const { random, tensor, options, anything, size } = generator(variant === 'simd' ? 99 : 100);
    /** @type {Record<string, () => unknown>} */
    const calls = {
      attention: () => engine.attention(tensor(), tensor(), tensor(), options()),
      reference: () => engine.reference.attention(tensor(), tensor(), tensor(), options()),
      scores: () => engine.scores(tensor(), tensor(), options()),
      mask: () => engine.mask(random.pick([options, anything, () => ({ queries: size(), keys: size(), ...options() })])()),
      softmax: () => engine.softmax(tensor(), random.pick([() => undefined, options])()),
      rowSums: () => engine.rowSums(tensor()),
      maskAfterSoftmax: () => {
        const scores = tensor();
        const fitting = () => ({ data: new Uint8Array(scores?.data?.length ?? 0), shape: scores?.shape, dtype: 'bool' });
        return engine.maskAfterSoftmax(scores, random.pick([anything, fitting])());
      },
      geometry: () => engine.geometry(tensor(), tensor()),
    };
    for (const [name, call] of Object.entries(calls)) {
      test(`${name}, ${rounds} times`, () => {
        let refused = 0;
        for (let round = 0; round < rounds; round++) {
          try {
            call();
          } catch (error) {
            const known = error instanceof TypeError || error instanceof RangeError;
            assert.ok(known && error.message.length > 0, `round ${round}: ${error instanceof Error ? error.stack : String(error)}`);
            // A revoked proxy cannot even be looked at: that is the engine's host speaking.
            assert.ok(/^[\w.[\] ]+: expected .*, got /.test(error.message) || /proxy/.test(error.message), `round ${round}: ${error.stack}`);
            refused++;
          }
          if (round % 100 === 0) assertStillRight(engine);
        }
        assertStillRight(engine);
        assert.ok(refused > rounds / 10 && refused < rounds, `${refused} of ${rounds} refused`);
      });
    }
  });
}
