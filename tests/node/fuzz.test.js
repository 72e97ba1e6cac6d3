// Twenty thousand calls of each build, most of them wrong somewhere: only TypeError and RangeError come out, with a
// sentence; the engine is right after each; memory goes back to where it was. Four thousand more are wrong in a way that is
// known, and none of them may be taken; as many have a tensor in another form, and none of them may come out otherwise.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import v8 from 'node:v8';
import vm from 'node:vm';
import { anythingFrom } from './support/anything.js';
import { engines } from './support/engines.js';
import { knownWrongFrom } from './support/known-wrong.js';
import { randomFrom } from './support/random.js';
import { assertStillRight } from './support/refuses.js';

const calls = 20_000;
const knownCalls = 4_000;

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc');

/** @typedef {ReturnType<typeof randomFrom>} Random */

/** A scoring of q [·, 4] and k [·, 4]. @param {Random} random */
function scoringOf(random) {
  const kind = random.pick(['scaled-dot', 'dot', 'general', 'additive', 'cosine', 'linear', 'trilinear']);
  return {
    kind,
    ...(kind === 'general' && { w: random.tensor([4, 4]), ...some(random, { b: 2 }) }),
    ...(kind === 'additive' && { wq: random.tensor([3, 4]), wk: random.tensor([3, 4]), v: [1, -1, 0.5] }),
    ...(kind === 'linear' && { w: random.tensor([8]), ...some(random, { b: 2 }) }),
    ...(kind === 'trilinear' && { w: random.tensor([12]) }),
  };
}

/** Options of the attention family that are right for q [2, 3, 4], k [1, 5, 4], v [1, 5, 2]. @param {Random} random */
function attentionOptions(random) {
  const flags = (/** @type {number[]} */ ...shape) => ({ data: new Uint8Array(shape.reduce((a, b) => a * b)).fill(1), shape, dtype: 'bool' });
  const all = {
    scale: 0.5, scoring: scoringOf(random), scoreMod: (/** @type {number} */ score) => 2 * score, maskMod: (/** @type {number[]} */ ...[, , i, j]) => i !== j, softcap: 2, bias: random.tensor([3, 5]), causal: true, queryOffset: 1, window: random.pick([2, { left: 1, right: Infinity }]),
    keyLengths: [4], allowKeys: [true, true, false, true, true], allow: random.pick([flags(3, 5), flags(2, 1, 5), [[true, false, true, true, true]]]),
    blocks: { size: [2, 3], allow: [[true, true], [true, false]] }, emptyRows: random.pick(['zero', 'nan', 'uniform']), tile: { queries: 2, keys: 4 },
    returnWeights: true, returnScores: true, returnLogSumExp: true,
  };
  return some(random, all);
}

/** Some of the options. @param {Random} random @param {Record<string, any>} all */
const some = (random, all) => Object.fromEntries(Object.entries(all).filter(() => random.next() < 0.3));

/** Memory for an output [2, 3, 2], or for that and weights [2, 3, 5]. @param {Random} random */
const outOf = (random) => random.pick([{ output: new Float32Array(12) }, { output: new Float32Array(12), weights: new Float32Array(30) }]);

/** @param {Random} random */
const scoreOptions = (random) => some(random, { scale: 2, scoring: scoringOf(random), scoreMod: () => 1, softcap: 1, causal: true, keyLengths: [3], bias: random.tensor([5]) });

/** @param {Random} random */
const qkv = (random) => [random.tensor([2, 3, 4]), random.tensor([1, 5, 4]), random.tensor([1, 5, 2])];

/** Those of them that explanations and gradients have too. @param {Random} random @param {string[]} further */
function explainOptions(random, ...further) {
  const known = ['scale', 'softcap', 'bias', 'causal', 'queryOffset', 'window', 'keyLengths', 'allowKeys', 'allow', 'blocks', 'maskMod', 'emptyRows', ...further];
  return Object.fromEntries(Object.entries(attentionOptions(random)).filter(([name]) => known.includes(name)));
}

/** Options for x [2, 3, 4]. @param {Random} random */
function multiHeadOptions(random) {
  const cross = random.pick([true, false]);
  const keys = cross ? 5 : 3;
  return {
    wq: random.tensor([4, 6]), wk: random.tensor([4, 3]), wv: random.tensor([4, 2]), heads: 2, kvHeads: 1,
    ...some(random, { bq: [1, 2, 3, 4, 5, 6], bk: [0, 0, 1], bv: [1, 1], returnHeads: true, returnWeights: true, causal: true, window: 2, scale: 2 }),
    ...some(random, { allow: Array.from({ length: keys }, (_, j) => j > 0), bias: random.tensor([keys]), emptyRows: 'uniform' }),
    ...(random.next() < 0.5 && { wo: random.tensor([4, 3]), bo: [1, 2, 3] }),
    ...(cross && { context: random.tensor([2, 5, 4]), ...some(random, { contextValues: random.tensor([2, 5, 4]) }) }),
  };
}

/** @param {Random} random */
function linearOptions(random) {
  const rule = random.pick([undefined, 'linear', 'gated', 'delta', 'gated-delta']);
  return {
    ...some(random, { featureMap: random.pick(['elu+1', 'relu', 'identity']), causal: true, scale: 2 }),
    ...(rule && { rule, normalize: false, state: random.tensor([1, 4, 2]) }),
    ...(rule?.startsWith('gated') && { decay: random.tensor([1, 5, 4]) }),
    ...(rule?.endsWith('delta') && { beta: random.tensor([1, 5]) }),
  };
}

/** Arguments that are right, for every method there is. @type {Record<string, (random: Random) => any[]>} */
const rightCalls = {
  attention: (random) => [...qkv(random), { ...attentionOptions(random), ...some(random, { trace: true, out: outOf(random) }) }],
  attentionAsync: (random) => [...qkv(random), { ...attentionOptions(random), ...some(random, { signal: new AbortController().signal, onProgress() {}, out: outOf(random) }) }],
  scores: (random) => [...qkv(random).slice(0, 2), scoreOptions(random)],
  mask: (random) => [{ queries: 3, keys: 4, ...some(random, { heads: 2, batch: 2, causal: true, window: 2, queryOffset: -1, allowKeys: [true, false, true, true], maskMod: () => true }) }],
  softmax: (random) => [random.tensor([2, 3]), some(random, { precision: random.pick(['f32', 'f16', 'bf16']), stable: false })],
  rowSums: (random) => [random.tensor([2, 3, 4])],
  maskAfterSoftmax: (random) => [random.tensor([2, 2]), [[true, false], [true, true]]],
  geometry: (random) => [[1, 2, 3], random.tensor([4, 3])],
  attentionBackward: (random) => [...qkv(random), random.tensor([2, 3, 2]), explainOptions(random, 'tile')],
  multiHeadAttention: (random) => [random.tensor([2, 3, 4]), multiHeadOptions(random)],
  'explain.leaveOneOut': (random) => [...qkv(random), explainOptions(random, 'scoring', 'scoreMod')],
  'explain.replaceValue': (random) => [...qkv(random), { key: random.whole(0, 4), value: random.pick([[1, 2], random.tensor([1, 1, 2])]) }, explainOptions(random)],
  'explain.gradient': (random) => [...qkv(random), { ...random.pick([{ component: 1 }, { direction: [1, 2] }]), ...some(random, { query: 2 }) }, explainOptions(random)],
  'explain.equalOutputWeights': (random) => [[0.25, 0.5, 0.25, 0], random.tensor([4, 2]), some(random, { allow: [true, true, true, false] })],
  createKvCache: (random) => [{ kvHeads: 1, headDim: 4, valueDim: 2, ...some(random, { batch: 1, window: 3, dtype: 'f16', capacity: 9 }) }],
  linearAttention: (random) => [...qkv(random), linearOptions(random)],
  'cache.append': (random) => [random.tensor([1, 2, 4]), random.tensor([1, 2, 2])],
  'cache.attend': (random) => [random.tensor([2, 3, 4]), some(random, { scale: 2, causal: true, bias: random.tensor([3, 5]), keyLengths: [4], returnWeights: true, allow: [[true, false, true, true, true]], out: outOf(random) })],
  'positions.rope': (random) => [random.tensor([2, 3, 4]), some(random, { base: 100, offset: 7, interleaved: true, dims: 2 })],
  'positions.alibi': (random) => [{ heads: 3, queries: 2, keys: 4, ...some(random, { queryOffset: 5 }) }],
  'positions.sinusoidal': (random) => [{ length: 3, dim: 5, ...some(random, { base: 10, offset: -3 }) }],
  'reference.attention': (random) => [...qkv(random), attentionOptions(random)],
  'reference.scores': (random) => [...qkv(random).slice(0, 2), scoreOptions(random)],
  'reference.attentionBackward': (random) => [...qkv(random), random.tensor([2, 3, 2]), explainOptions(random, 'tile')],
  'reference.multiHeadAttention': (random) => [random.tensor([2, 3, 4]), multiHeadOptions(random)],
  'reference.linearAttention': (random) => [...qkv(random), linearOptions(random)],
};

/** A cache of five keys. @param {any} engine @param {number} [window] */
function cacheOf(engine, window) {
  const cache = engine.createKvCache({ kvHeads: 1, headDim: 4, valueDim: 2, ...(window && { window }) });
  cache.append([[[1, 2, 3, 4], [0, 0, 0, 1], [1, 1, 1, 1], [0, 1, 0, 1], [2, 2, 2, 2]]], [[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]]);
  return cache;
}

/** The methods of an engine, those of its parts as `part.method`. @param {any} owner @param {string} [prefix] @returns {string[]} */
const methodsOf = (owner, prefix = '') =>
  Object.entries(owner).flatMap(([name, value]) => (typeof value === 'function' ? [prefix + name] : name === 'info' ? [] : methodsOf(value, `${prefix}${name}.`)));

/** @param {any} engine @param {string} name @returns {(...args: any[]) => any} */
function methodOf(engine, name) {
  const [first, second] = name.split('.');
  if (first !== 'cache') return second ? engine[first][second] : engine[first];
  const cache = cacheOf(engine, second === 'append' ? 8 : undefined);
  return (...args) => cache[second](...args);
}

/** @param {any} engine */
const methodsOfCache = (engine) => Object.getOwnPropertyNames(Object.getPrototypeOf(cacheOf(engine))).filter((name) => !['constructor', 'length', 'bytes', 'sharedBytes'].includes(name));

/** @param {unknown} error @param {string} where */
function assertRefusal(error, where) {
  const told = `${where}: ${error instanceof Error ? error.stack : String(error)}`;
  assert.ok(error instanceof Error && [TypeError.prototype, RangeError.prototype].includes(Object.getPrototypeOf(error)), told);
  assert.match(error.message, /^[\w.[\] ]+: expected .*, got /, told);
}

/** What a call returned, but for what it took. @param {any} result */
const valuesOf = (result) => ({ ...result, report: undefined });

for (const { variant, engine } of engines) {
  describe(`calls that are wrong somewhere (${variant})`, () => {
    const methods = Object.keys(rightCalls).length;
    const rounds = Math.ceil(calls / methods);
    const knownRounds = Math.ceil(knownCalls / methods);
    let settled = 0;

    test('every method that takes arguments is tried', () => {
      const all = [...methodsOf(engine), ...methodsOfCache(engine).map((name) => `cache.${name}`)];
      const withoutArguments = ['dispose', 'cache.fork', 'cache.dispose'];
      assert.deepEqual(all.filter((name) => !withoutArguments.includes(name)).sort(), Object.keys(rightCalls).sort());
    });

    for (const [index, [name, right]] of Object.entries(rightCalls).entries()) {
      test(`${name}, ${rounds} times`, async () => {
        const random = randomFrom(index + (variant === 'simd' ? 100 : 200));
        const { spoiledCall } = anythingFrom(random);
        const method = methodOf(engine, name);
        for (let round = 0; round < 20; round++) await method(...right(random)); // what is right is taken
        let refused = 0;
        for (let round = 0; round < rounds; round++) {
          try {
            await method(...spoiledCall(right(random)));
          } catch (error) {
            assertRefusal(error, `${name}, round ${round}`);
            refused++;
          }
          assertStillRight(engine);
        }
        assert.ok(refused > rounds / 4 && refused < rounds, `${refused} of ${rounds} refused`);
        collectGarbage();
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        settled ||= heapUsed + arrayBuffers;
        assert.ok(heapUsed + arrayBuffers < settled + 10e6, `${heapUsed + arrayBuffers - settled} bytes more than after the first method`);
      });
    }

    for (const [index, [name, right]] of Object.entries(rightCalls).entries()) {
      const random = randomFrom(index + (variant === 'simd' ? 300 : 400));
      const { wrongCall, sameCall } = knownWrongFrom(random);
      const method = methodOf(engine, name);

      test(`${name}, wrong in a known way`, async () => {
        for (let round = 0; round < knownRounds; round++) {
          const { what, args } = wrongCall(right(random));
          const where = `${name}, round ${round}: ${what}`;
          const error = await (async () => method(...args))().then(() => assert.fail(`${where}, and it was taken`), (problem) => problem);
          assertRefusal(error, where);
          assertStillRight(engine);
        }
      });

      test(`${name}, right in another form`, async () => {
        for (let round = 0; round < knownRounds; round++) {
          const args = right(random);
          const same = sameCall(args);
          if (same) assert.deepEqual(valuesOf(await method(...same.args)), valuesOf(await method(...args)), `${name}, round ${round}: ${same.what}`);
        }
      });
    }

    test('the memory of the engine has not grown beyond what such small calls need', () => assert.ok(engine.info.memoryBytes <= 4 << 20, `${engine.info.memoryBytes} bytes`));
  });
}
