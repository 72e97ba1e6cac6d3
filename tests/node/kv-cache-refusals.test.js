// What a cache refuses, and the end of its life.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Core } from '../../web/core/core.js';
import { instantiate } from '../../web/core/instance.js';
import { createKvCache } from '../../web/core/kv-cache.js';
import { Layout } from '../../web/core/layout.js';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { freshEngine, wasmOf } from './support/fresh-engine.js';
import { refuses } from './support/refuses.js';
import { zeros } from './support/tensors.js';

const one = { kvHeads: 1, headDim: 2, valueDim: 1 };

for (const { variant, engine } of engines) {
  describe(`kv cache refusals (${variant})`, () => {
    describe('is refused', () => {
      const cache = engine.createKvCache({ kvHeads: 2, headDim: 3, valueDim: 4 });
      cache.append(zeros(2, 5, 3), zeros(2, 5, 4));
      /** @param {string} name @param {() => unknown} call @param {typeof TypeError | typeof RangeError} kind @param {string} sentence */
      const refused = (name, call, kind, sentence) =>
        test(name, () => {
          refuses(engine, call, kind, sentence);
          assert.equal(cache.length, 5);
          cache.attend(zeros(2, 1, 3));
        });
      const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);
      refused('without heads', () => engine.createKvCache(any({ headDim: 1, valueDim: 1 })), TypeError, 'kvHeads: expected a whole number from 1 to 2147483647, got undefined');
      refused('a dtype there is not', () => engine.createKvCache(any({ ...one, dtype: 'f8' })), TypeError, "dtype: expected 'f32' or 'f16', got \"f8\"");
      refused('a window of 0', () => engine.createKvCache({ ...one, window: 0 }), RangeError, 'window: expected a whole number of at least 1, or {left, right}, got 0');
      refused('a capacity there is no memory for', () => engine.createKvCache({ ...one, capacity: 1e9 }), RangeError, 'createKvCache: expected a call that needs at most 268435456 bytes, got one that needs 12000000000 bytes (for 1000000000 keys)');
      refused('a row there is no memory for', () => engine.createKvCache({ kvHeads: 65536, batch: 65536, headDim: 2 ** 31 - 1, valueDim: 1 }), RangeError, 'createKvCache: expected a call that needs at most 268435456 bytes, got one that needs 36893488147419103232 bytes (for 1 keys)');
      refused('keys of other heads', () => cache.append(zeros(3, 1, 3), zeros(2, 1, 4)), RangeError, 'k: expected heads 2 like the cache, got 3');
      refused('keys without heads', () => cache.append(zeros(1, 3), zeros(1, 4)), RangeError, 'k: expected heads 2 like the cache, got 1');
      refused('keys of another width', () => cache.append(zeros(2, 1, 4), zeros(2, 1, 4)), RangeError, 'k: expected width 3 like the cache, got 4');
      refused('values of another width', () => cache.append(zeros(2, 1, 3), zeros(2, 1, 3)), RangeError, 'v: expected width 4 like the cache, got 3');
      refused('values of another batch', () => cache.append(zeros(1, 2, 1, 3), zeros(2, 2, 1, 4)), RangeError, 'v: expected batch 1 like the cache, got 2');
      refused('values of another rank', () => cache.append(zeros(1, 2, 1, 3), zeros(2, 1, 4)), RangeError, 'v: expected rank 4 like k, got rank 3');
      refused('more values than keys', () => cache.append(zeros(2, 1, 3), zeros(2, 2, 4)), RangeError, 'v: expected number of keys 1 like k, got 2');
      refused('no tensor', () => cache.append(any('k'), any('v')), TypeError, 'k: expected nested arrays of numbers or {data, shape}, got "k"');
      refused('query heads that do not divide', () => cache.attend(zeros(3, 1, 3)), RangeError, "q: expected heads that are a multiple of the cache's 2 key/value heads, got 3");
      refused('queries of another width', () => cache.attend(zeros(2, 1, 4)), RangeError, 'q: expected width 3 like the cache, got 4');
      refused('a mask of other keys', () => cache.attend(zeros(2, 1, 3), { allowKeys: [true] }), RangeError, 'allowKeys: expected booleans [5] (one per key) or [1, 5] (batch by keys), got [1]');
      refused('a tile', () => cache.attend(zeros(2, 1, 3), any({ tile: { queries: 1, keys: 1 } })), TypeError, 'options: expected known names (scale, scoring, softcap, bias, causal, queryOffset, window, keyLengths, allowKeys, allow, blocks, maskMod, emptyRows, returnWeights, returnScores, returnLogSumExp, out), got "tile"');
      refused('a number no half can hold', () => engine.createKvCache({ ...one, dtype: 'f16' }).append([[1, 70000]], [[1]]), RangeError, "k: expected numbers up to 65504 in size, the largest of dtype 'f16', got 70000");
      refused('a buffer that goes while it is read', () => {
        const data = new Float32Array(6);
        const v = { get data() { structuredClone(data.buffer, { transfer: [data.buffer] }); return new Float32Array(8); }, shape: [2, 1, 4] };
        cache.append({ data, shape: [2, 1, 3] }, v);
      }, RangeError, 'k: expected the 6 values it had when the call began, got 0');

      test('a capacity that is exceeded', () => {
        const small = engine.createKvCache({ ...one, capacity: 8 });
        small.append(zeros(5, 2), zeros(5, 1));
        refuses(engine, () => small.append(zeros(4, 2), zeros(4, 1)), RangeError, 'k: expected at most 3 more keys (the capacity is 8, of which 5 are taken), got 4');
        small.append(zeros(3, 2), zeros(3, 1));
        assert.equal(small.length, 8);
        const sliding = engine.createKvCache({ ...one, capacity: 8, window: 4 });
        for (let t = 0; t < 100; t++) sliding.append(zeros(5, 2), zeros(5, 1));
        refuses(engine, () => sliding.append(zeros(6, 2), zeros(6, 1)), RangeError, 'k: expected at most 5 more keys (the capacity is 8, of which 3 are taken), got 6');
      });

      test('a second window, a mean over keys let go, and a query that would see them', () => {
        const sliding = engine.createKvCache({ ...one, window: 4 });
        for (let t = 0; t < 3; t++) sliding.append(zeros(100, 2), zeros(100, 1));
        refuses(engine, () => sliding.attend([[0, 0]], { window: 3 }), TypeError, 'window: expected none beside that of the cache (4), got 3');
        refuses(engine, () => sliding.attend([[0, 0]], { emptyRows: 'uniform' }), RangeError, "emptyRows: expected 'zero' or 'nan' in a cache with a window (it lets go of keys that the mean would need), got 'uniform'");
        refuses(engine, () => sliding.attend([[0, 0]], { queryOffset: 194 }), RangeError, 'q: expected queries at positions from 195 on (the window of the cache has let go of the keys before 192), got one at position 194');
        sliding.attend([[0, 0]], { queryOffset: 195 });
        sliding.attend(zeros(100, 2), { causal: true });
      });
    });

    test('after dispose, every use says so; other caches live on', () => {
      const cache = engine.createKvCache(one);
      cache.append([[1, 2]], [[3]]);
      const fork = cache.fork();
      cache.dispose();
      cache.dispose();
      const sentence = (/** @type {string} */ name) => `${name}: expected a live cache, got one that was disposed; call createKvCache() for a new one`;
      refuses(engine, () => cache.append([[1, 2]], [[3]]), TypeError, sentence('append'));
      refuses(engine, () => cache.attend([[1, 2]]), TypeError, sentence('attend'));
      refuses(engine, () => cache.fork(), TypeError, sentence('fork'));
      refuses(engine, () => cache.length, TypeError, sentence('length'));
      refuses(engine, () => cache.bytes, TypeError, sentence('bytes'));
      refuses(engine, () => cache.sharedBytes, TypeError, sentence('sharedBytes'));
      assertClose(fork.attend([[1, 2]]).output.data, [3]);
    });

    test('an argument whose reading disposes of the cache', () => {
      const cache = engine.createKvCache(one);
      cache.append([[1, 2]], [[3]]);
      const options = { get causal() { cache.dispose(); return true; } };
      refuses(engine, () => cache.attend([[1, 2]], options), TypeError, /^attend: expected a live cache, got one that was disposed/);
    });

    test('an argument whose reading appends to the cache', () => {
      const cache = engine.createKvCache(one);
      cache.append([[1, 2]], [[3]]);
      const options = { get causal() { cache.append([[1, 2]], [[3]]); return true; } };
      refuses(engine, () => cache.attend([[1, 2]], options), RangeError, 'attend: expected the 1 keys that the cache had when the call began, got 2');
    });

    test('a maskMod that appends to the cache, forks it or disposes of it', () => {
      const cache = engine.createKvCache({ ...one, window: 3 });
      const rows = { data: new Float32Array(400), shape: [200, 2] };
      const values = { data: new Float32Array(200), shape: [200, 1] };
      cache.append(rows, values);
      const attend = (/** @type {() => void} */ first) => () => {
        let asked = 0;
        return cache.attend([[1, 2]], { causal: true, maskMod: () => (asked++ || first(), true) });
      };
      refuses(engine, attend(() => cache.append(rows, values)), RangeError, 'attend: expected the 200 keys that the cache had when the call began, got 400');
      assert.deepEqual([...attend(() => cache.fork().append(rows, values))().output.data], [0]);
      refuses(engine, attend(() => cache.dispose()), TypeError, /^attend: expected a live cache, got one that was disposed/);
    });

    test('numbers beyond a half are found behind another iterator', () => {
      class Smooth extends Float32Array {
        [Symbol.iterator]() {
          return [0].values();
        }
      }
      const cache = engine.createKvCache({ ...one, dtype: 'f16' });
      refuses(engine, () => cache.append({ data: new Smooth([1, 70000]), shape: [1, 2] }, [[1]]), RangeError, "k: expected numbers up to 65504 in size, the largest of dtype 'f16', got 70000");
      cache.dispose();
    });

    test('what it is told is read once', () => {
      let asked = 0;
      const window = { get left() { return asked++; }, right: 0 };
      const cache = engine.createKvCache({ ...one, window });
      cache.append([[1, 2], [3, 4]], [[1], [2]]);
      const { output, report } = cache.attend([[0, 0]]);
      assert.deepEqual([output.data[0], report.window, asked], [2, { left: 0, right: 0 }, 1]);
      cache.dispose();
    });

    test('methods work without their object', () => {
      const { append, attend, fork, dispose } = engine.createKvCache(one);
      append([[1, 2]], [[3]]);
      assert.deepEqual(attend([[1, 2]]).output.toNested(), [[3]]);
      assert.equal(fork().length, 1);
      dispose();
      refuses(engine, () => attend([[1, 2]]), TypeError, /^attend: expected a live cache, got one that was disposed/);
    });

    test('a disposed engine ends its caches', async () => {
      const fresh = await freshEngine(variant);
      const cache = fresh.createKvCache(one);
      fresh.dispose();
      assert.throws(() => cache.append([[1, 2]], [[3]]), { name: 'TypeError', message: 'append: expected a live engine, got one that was disposed; call loadEngine() for a new one' });
      assert.throws(() => cache.length, { name: 'TypeError', message: /^length: expected a live engine/ });
      cache.dispose();
    });

    test('when the core had to be started again, its caches say so', async () => {
      const module = new WebAssembly.Module(wasmOf(variant));
      const core = new Core(module, await instantiate(module));
      const cache = createKvCache(core, one);
      const layout = new Layout();
      assert.throws(() => core.execute('call', layout, (raw) => raw._reserve(layout.bytes), () => {
        throw new WebAssembly.RuntimeError('unreachable');
      }));
      assert.throws(() => cache.attend([[1, 2]]), { name: 'TypeError', message: 'attend: expected a live cache, got one that was lost when the engine had to be started again; call createKvCache() and append its keys again' });
      cache.dispose();
      createKvCache(core, one).append([[1, 2]], [[3]]);
    });
  });
}
