// What a page, or a caller with odd values, may do to a call: it is computed, or refused in a sentence, at once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import vm from 'node:vm';
import { EngineLoadError, loadEngine } from 'attn-widgets';
import { refuses } from './support/refuses.js';

const engine = await loadEngine();
const two = [[1, 0], [0, 1]];
const none = { data: [], shape: [0, 2] };

/** @param {any} options @param {any} [q] */
const attend = (options, q = two) => engine.attention(q, two, two, options);

/** @template {ArrayBufferView} T @param {T} view */
function detached(view) {
  structuredClone(view.buffer, { transfer: [/** @type {ArrayBuffer} */ (view.buffer)] });
  return view;
}

/** @template T @param {string} name @param {unknown} value @param {() => T | Promise<T>} work */
async function withInherited(name, value, work) {
  Object.defineProperty(Object.prototype, name, { value, enumerable: true, configurable: true });
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}

test('an empty result takes no time, however large its other axes', () => {
  const most = 2 ** 31 - 1;
  const q = { data: [], shape: [most, 1, 0, 1] };
  const start = performance.now();
  assert.deepEqual(engine.attention(q, q, q).output.shape, [most, 1, 0, 1]);
  assert.deepEqual(engine.reference.attention(q, q, q).weights.shape, [most, 1, 0, 0]);
  assert.deepEqual(engine.scores(q, q).shape, [most, 1, 0, 0]);
  assert.deepEqual(engine.mask({ batch: most, heads: most, queries: 0, keys: most }).shape, [most, most, 0, most]);
  for (const precision of /** @type {const} */ (['f32', 'f16'])) assert.deepEqual(engine.softmax({ data: [], shape: [most, 0] }, { precision }).shape, [most, 0]);
  for (const { linearAttention } of [engine, engine.reference]) {
    assert.deepEqual(linearAttention({ data: [], shape: [most, 0, 1] }, { data: [], shape: [1, 0, 1] }, { data: [], shape: [1, 0, 1] }).output.shape, [most, 0, 1]);
    const unvisited = { data: [], shape: [0, most, most, 1] };
    assert.deepEqual(linearAttention(unvisited, unvisited, unvisited).state.shape, [0, most, 1, 2]);
  }
  const maskMod = () => assert.fail('there is no cell');
  assert.deepEqual(engine.mask({ batch: most, heads: most, queries: 0, keys: most, maskMod }).shape, [most, most, 0, most]);
  assert.deepEqual(engine.scores(q, q, { maskMod, scoreMod: maskMod }).shape, [most, 1, 0, 0]);
  assert.deepEqual(engine.attention(q, q, q, { trace: true }).trace.tiles, []);
  assert.deepEqual(engine.attentionBackward(q, q, q, q).dKey.shape, q.shape);
  assert.deepEqual(engine.explain.leaveOneOut(q, q, q).without.shape, [most, 1, 0, 0, 1]);
  assert.deepEqual(engine.explain.gradient(q, q, q, { component: 0 }).dScores.shape, [most, 1, 0, 0]);
  const { rope, alibi, sinusoidal } = engine.positions;
  for (const shape of [[0, most - 1], [most, 0, most - 1], [0, most, 2]]) assert.deepEqual(rope({ data: [], shape }).shape, shape);
  assert.deepEqual(alibi({ heads: most, queries: 0, keys: most }).shape, [most, 0, most]);
  assert.deepEqual(alibi({ heads: most, queries: most, keys: 0 }).shape, [most, most, 0]);
  assert.deepEqual(sinusoidal({ length: 0, dim: most }).shape, [0, most]);
  const seconds = (performance.now() - start) / 1000;
  assert.ok(seconds < 1, `took ${seconds} s`);
});

describe('properties on Object.prototype', () => {
  test('calls are unaffected', async () => {
    const expected = attend({ causal: true });
    assert.deepEqual(await withInherited('extra', () => {}, () => attend({ causal: true })), expected);
    assert.deepEqual(await withInherited('causal', true, () => attend({})), attend({}));
  });
  test('an engine can be loaded, and options are not taken from there', async () => {
    await withInherited('wasm', 'http://127.0.0.1:1/a.wasm', async () => assert.equal(await loadEngine({}), engine));
    await withInherited('variant', 'none', async () => assert.equal(await loadEngine({}), engine));
  });
});

describe('options are own properties of a plain object', () => {
  const inherits = 'expected a plain object that has its options itself, got one that inherits from another';
  class Causal {
    get causal() {
      return true;
    }
  }
  /** @param {string} name @param {any} options @param {string} sentence */
  const refused = (name, options, sentence) => test(name, () => refuses(engine, () => attend(options), TypeError, sentence));

  refused('inherited ones', Object.create({ causal: true }), `options: ${inherits}`);
  refused('an instance with a getter', new Causal(), `options: ${inherits}`);
  refused('a Map', new Map([['causal', true]]), 'options: expected a plain object that has its options itself, got an object (Map)');
  refused('a Promise', Promise.resolve({ causal: true }), 'options: expected a plain object that has its options itself, got an object (Promise)');
  refused('an inherited window', { window: Object.create({ left: 0, right: 0 }) }, `window: ${inherits}`);
  refused('an inherited tile', { tile: Object.create({ queries: 1, keys: 1 }) }, `tile: ${inherits}`);
  refused('an inherited scoring', { scoring: Object.create({ kind: 'scaled-dot' }) }, `scoring: ${inherits}`);
  refused('inherited blocks', { blocks: Object.create({ size: [1, 1] }) }, `blocks: ${inherits}`);
  refused('a revoked proxy', (() => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  })(), 'options: expected a plain object that has its options itself, got an object that cannot be read');
  test('of loadEngine', () => assert.rejects(loadEngine(Object.create({ variant: 'scalar' })), { name: 'TypeError', message: `options: ${inherits}` }));

  test('without a prototype, of another realm, or not enumerable they count', () => {
    const expected = attend({ causal: true }).output;
    assert.deepEqual(attend(Object.assign(Object.create(null), { causal: true })).output, expected);
    assert.deepEqual(attend(vm.runInNewContext('({ causal: true })')).output, expected);
    assert.deepEqual(attend(Object.defineProperty({}, 'causal', { value: true })).output, expected);
  });
  test('a long unknown name is shortened', () =>
    refuses(engine, () => attend({ ['c'.repeat(1000)]: 1 }), TypeError, /^options: expected known names .*, got "c{40}…"$/));
});

describe('booleans where numbers belong', () => {
  const mask = /** @type {any} */ (engine.mask({ queries: 2, keys: 2, causal: true }));
  test('as bias', () => refuses(engine, () => attend({ bias: mask }), TypeError, "bias: expected numbers, got booleans (dtype: 'bool'); which keys may be attended to is said by `allow`"));
  for (const [at, name] of ['q', 'k', 'v'].entries()) {
    const inputs = [two, two, two].map((input, i) => (i === at ? mask : input));
    test(`as ${name}`, () => refuses(engine, () => engine.attention(inputs[0], inputs[1], inputs[2]), TypeError, `${name}: expected numbers, got booleans (dtype: 'bool')`));
  }
});

describe('lists that are too long are refused by their length', () => {
  const long = /** @type {any} */ (new Array(2 ** 32 - 1));
  /** @param {string} name @param {() => unknown} call @param {string} sentence */
  const refused = (name, call, sentence) => test(name, { timeout: 5000 }, () => refuses(engine, call, RangeError, sentence));

  refused('keyLengths', () => attend({ keyLengths: long }), 'keyLengths: expected 1 whole number from 0 to 2 (one per batch entry), got 4294967295 of them');
  refused('blocks.size', () => attend({ blocks: { size: long, allow: [] } }), 'blocks.size: expected [queries, keys], two whole numbers of at least 1, got 4294967295 of them');
  refused('blocks.allow', () => attend({ blocks: { size: [1, 1], allow: [long] } }), 'blocks.allow: expected 2 rows of 2 booleans, got shape [1, 4294967295]');
  refused('allowKeys', () => attend({ allowKeys: long }), 'allowKeys: expected booleans [2] (one per key) or [1, 2] (batch by keys), got [4294967295]');
  refused('allow', () => attend({ allow: [long] }), 'allow: expected a shape that broadcasts from the right to [1, 1, 2, 2], got [1, 4294967295]');
  refused('bias', () => attend({ bias: [long] }), 'bias: expected a shape that broadcasts from the right to [1, 1, 2, 2], got [1, 4294967295]');
  refused('a vector as q', () => attend({}, long), 'q: expected rank 2, 3 or 4, got rank 1 (shape [4294967295])');
  refused('rows of q', () => attend({}, [long]), 'q: expected a call that needs at most 268435456 bytes, got one that needs 17179869180 bytes (1 × 4294967295 values)');
  refused('data', () => attend({}, { data: new Array(2 ** 31 - 1), shape: [1, 2 ** 31 - 1] }), 'q: expected a call that needs at most 268435456 bytes, got one that needs 8589934588 bytes (1 × 2147483647 values)');
  refused('a shape', () => attend({}, { data: [], shape: long }), 'q.shape: expected at most 4 sizes, got 4294967295');
  refused('the allow of maskAfterSoftmax', () => engine.maskAfterSoftmax(two, [long]), 'allow: expected shape [2, 2] like scores, got [1, 4294967295]');
});

describe('buffers that go or change', () => {
  const gone = 'expected values, got a view of a detached buffer (it was transferred away)';
  test('detached lists', () => {
    refuses(engine, () => attend({ keyLengths: detached(new Uint32Array(1)) }), TypeError, `keyLengths: ${gone}`);
    refuses(engine, () => attend({ blocks: { size: detached(new Uint32Array(2)), allow: [[true]] } }), TypeError, `blocks.size: ${gone}`);
    refuses(engine, () => attend({}, detached(new Float32Array(2))), TypeError, `q: ${gone}`);
  });
  test('a getter among the options transfers an input', () => {
    const data = new Float32Array([1, 0, 0, 1]);
    const options = {
      get causal() {
        detached(data);
        return true;
      },
    };
    refuses(engine, () => attend(options, { data, shape: [2, 2] }), RangeError, 'q: expected the 4 values it had when the call began, got 0');
  });
  test('a getter among the options transfers a mask', () => {
    const allow = engine.mask({ queries: 2, keys: 2 });
    const blocks = {
      size: [1, 1],
      get allow() {
        detached(allow.data);
        return two.map((row) => row.map(() => true));
      },
    };
    refuses(engine, () => attend({ allow, blocks }), RangeError, 'allow: expected the 4 values it had when the call began, got 0');
  });
  test('an array that shrinks while it is read', () => {
    const row = [1, 0];
    Object.defineProperty(row, 0, { get: () => ((row.length = 1), 1), configurable: false });
    refuses(engine, () => attend({}, [[0, 1], row]), TypeError, 'q: expected a number at [1][1], got undefined');
  });
});

test('rows that are too wide are refused by their width, even where there are none', () => {
  const wide = { data: [], shape: [0, 2 ** 31 - 1] };
  const narrow = { data: [], shape: [0, 1] };
  const limit = 'attention: expected a call that needs at most 268435456 bytes, got one that needs';
  refuses(engine, () => engine.attention(wide, wide, narrow), RangeError, `${limit} 17179869184 bytes (most of it for q of shape [0, 2147483647], a row of it at least)`);
  refuses(engine, () => engine.attention(narrow, narrow, wide), RangeError, `${limit} 17179869184 bytes (most of it for v of shape [0, 2147483647], a row of it at least)`);
});

describe('positions beyond 2^31', () => {
  const cells = (/** @type {any} */ options) => engine.mask({ queries: 3, keys: 4, ...options }).toNested();
  const everything = cells({});
  for (const far of [2 ** 31, 2 ** 53, 1e300]) {
    test(`a window of ${far} restricts nothing`, () => {
      assert.deepEqual(cells({ window: far }), everything);
      assert.deepEqual(cells({ window: { left: far, right: far } }), everything);
      assert.deepEqual(cells({ window: { left: 1, right: far } }), cells({ window: { left: 1, right: Infinity } }));
    });
    test(`an offset of ${far} puts the queries beyond the keys, or before them`, () => {
      assert.deepEqual(cells({ causal: true, queryOffset: far }), everything);
      assert.deepEqual(cells({ causal: true, queryOffset: -far }), cells({ keyLengths: [0] }));
      assert.deepEqual(cells({ queryOffset: far, window: { left: far, right: 0 } }), cells({ queryOffset: 0, window: { left: 0, right: Infinity } }));
      assert.deepEqual(cells({ queryOffset: -far, window: { left: 0, right: far } }), cells({ queryOffset: 0, window: { left: Infinity, right: 0 } }));
    });
    test(`tiles and blocks of ${far}`, () => {
      assert.deepEqual(attend({ tile: { queries: far, keys: far } }).output, attend({}).output);
      assert.deepEqual(cells({ blocks: { size: [far, 1], allow: [[true, false, true, true]] } }), cells({ allowKeys: [true, false, true, true] }));
    });
  }
  test('offsets and windows of every size mean what the formula says', () => {
    for (const offset of [-9, -4, -3, -1, 0, 2, 4, 5, 9]) {
      for (const left of [0, 1, 3, 8, 20]) {
        for (const right of [0, 2, 7, 20]) {
          const expected = everything.map((row, i) => row.map((/** @type {boolean} */ _, /** @type {number} */ j) => i + offset - left <= j && j <= i + offset + right));
          assert.deepEqual(cells({ queryOffset: offset, window: { left, right } }), expected, `${offset}, ${left}, ${right}`);
        }
      }
    }
  });
});

describe('no queries', () => {
  for (const options of [{ allow: [] }, { allow: [[]] }, { bias: [] }, { bias: [[[]]] }, { blocks: { size: [1, 1], allow: [] } }, { allow: [true, false] }]) {
    test(JSON.stringify(options), () => assert.deepEqual(attend(options, none).output.shape, [0, 2]));
  }
  test('heads of them', () => assert.deepEqual(engine.attention({ data: [], shape: [2, 0, 2] }, [two, two], [two, two], { allow: [[], []] }).output.shape, [2, 0, 2]));
  test('a size of −0 is 0', () => {
    assert.ok(Object.is(attend({}, { data: [], shape: [-0, 2] }).output.shape[0], 0));
    assert.ok(Object.is(engine.mask({ queries: -0, keys: 2 }).shape[0], 0));
  });
});

describe('loading', () => {
  /** @param {any} wasm @param {string | RegExp} message */
  const fails = (wasm, message) => assert.rejects(loadEngine({ wasm }), (/** @type {any} */ error) => error instanceof EngineLoadError && (assert.match(error.message, new RegExp(message)), true));

  test('a detached buffer', async () => {
    for (const wasm of [detached(new Uint8Array(8)), detached(new Uint8Array(8)).buffer]) {
      await assert.rejects(loadEngine({ wasm }), { name: 'TypeError', message: 'wasm: expected bytes, got a detached buffer (it was transferred away)' });
    }
  });
  test('a data: URL is not quoted whole', () => fails(`data:application/wasm;base64,${'A'.repeat(9999)}`, /^wasm: expected a WebAssembly module from data:application\/wasm;base64,A{11}…, got/));
  test('a fetch that gives no response', async () => {
    const { fetch } = globalThis;
    try {
      for (const response of [null, undefined, {}]) {
        globalThis.fetch = async () => /** @type {any} */ (response);
        await fails('http://127.0.0.1/a.wasm', /^wasm: expected the module at http:\/\/127.0.0.1\/a.wasm, got no answer$/);
      }
    } finally {
      globalThis.fetch = fetch;
    }
  });
  test('WebAssembly set to null', async () => {
    const real = WebAssembly;
    try {
      globalThis.WebAssembly = /** @type {any} */ (null);
      await assert.rejects(loadEngine(), { code: 'unsupported' });
    } finally {
      globalThis.WebAssembly = real;
    }
  });
});
