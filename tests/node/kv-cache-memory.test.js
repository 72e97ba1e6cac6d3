// The memory of caches: shared, bounded, given back, and beside that of calls.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { freshEngine } from './support/fresh-engine.js';
import { randomFrom } from './support/random.js';
import { assertStillRight } from './support/refuses.js';
import { rowRange } from './support/row-range.js';
import { zeros } from './support/tensors.js';

for (const { variant, engine } of engines) {
  describe(`memory of kv caches (${variant})`, () => {
    test('E12 bytes are those of the key/value heads: 2 · Hk · n · d · 4', () => {
      const cache = engine.createKvCache({ kvHeads: 2, headDim: 4, valueDim: 4 });
      cache.append(zeros(2, 10, 4), zeros(2, 10, 4));
      assert.equal(cache.bytes, 640);
      assert.equal(cache.attend(zeros(8, 1, 4)).report.queryHeads, 8);
    });

    test('forks share the memory of their prefix, and go their own ways', async () => {
      const fresh = await freshEngine(variant);
      const random = randomFrom(5);
      const settings = { kvHeads: 2, headDim: 64, valueDim: 64 };
      const cache = fresh.createKvCache(settings);
      const length = 64 * 200 + 7;
      const [k, v, q] = [random.tensor([2, length, 64]), random.tensor([2, length, 64]), random.tensor([2, 1, 64])];
      cache.append(k, v);
      const before = fresh.info.memoryBytes;
      const forks = Array.from({ length: 20 }, () => cache.fork());
      assert.equal(cache.sharedBytes, cache.bytes);
      const expected = cache.attend(q).output.data;
      forks.forEach((fork, i) => {
        fork.append(zeros(2, 1, 64), { data: new Float32Array(128).fill(i), shape: [2, 1, 64] });
        assert.equal(fork.length, length + 1);
        assert.equal(fork.bytes, cache.bytes + 2 * 2 * 64 * 4);
        assert.equal(fork.sharedBytes, cache.bytes - 7 * 2 * 2 * 64 * 4);
      });
      assert.deepEqual(cache.attend(q).output.data, expected);
      assert.ok(fresh.info.memoryBytes - before < 4 * 2 ** 20, `${fresh.info.memoryBytes - before} bytes for 20 forks of ${cache.bytes}`);
      const [fork] = forks;
      cache.dispose();
      assertClose(fork.attend(q, { allowKeys: Array.from({ length: length + 1 }, (_, j) => j < length) }).output.data, expected);
    });

    test('with a window, memory stays constant over 10,000 appends', async () => {
      const fresh = await freshEngine(variant);
      const random = randomFrom(6);
      const cache = fresh.createKvCache({ kvHeads: 2, headDim: 16, valueDim: 16, window: 128 });
      const [q, k, v] = [random.tensor([4, 1, 16]), random.tensor([2, 1, 16]), random.tensor([2, 1, 16])];
      let expected = 0;
      let most = 0;
      for (let t = 0; t < 10000; t++) {
        cache.append(k, v);
        cache.attend(q, { causal: true });
        most = Math.max(most, cache.bytes);
        if (t === 400) expected = fresh.info.memoryBytes;
      }
      assert.equal(cache.length, 10000);
      assert.equal(fresh.info.memoryBytes, expected);
      assert.ok(most <= (128 + 64) * 2 * 32 * 4);
      const { weights, report } = cache.attend(q, { returnWeights: true });
      assert.equal(report.window, 128);
      assertClose(weights.data.subarray(10000 - 128, 10000), new Array(128).fill(1 / 128));
      assert.ok(weights.data.subarray(0, 10000 - 128).every((weight) => weight === 0));
    });

    test('memory of caches is given back: by dispose, and to calls of any size', async () => {
      const fresh = await freshEngine(variant);
      fresh.softmax([1]);
      for (let round = 0; round < 4; round++) {
        const cache = fresh.createKvCache({ kvHeads: 1, headDim: 64, valueDim: 64, capacity: round % 2 ? 100_000 : undefined });
        cache.append(zeros(100_000, 64), zeros(100_000, 64));
        assert.ok(fresh.info.memoryBytes > 100_000 * 64 * 8);
        cache.dispose();
        fresh.softmax(zeros(30 * 2 ** 20 / 4096, 4096)); // 240 MiB
      }
      assert.ok(fresh.info.memoryBytes <= 256 * 2 ** 20);
      assertStillRight(fresh);
    });

    test('caches live beside large calls: neither keeps the other from growing', async () => {
      const fresh = await freshEngine(variant);
      const random = randomFrom(7);
      const cache = fresh.createKvCache({ kvHeads: 1, headDim: 32, valueDim: 32 });
      const [q, k, v] = [random.tensor([1, 32]), random.tensor([3000, 32]), random.tensor([3000, 32])];
      const empty = fresh.info.memoryBytes;
      for (let i = 0; i < 30; i++) {
        cache.append(rowRange(k, i * 100, 100), rowRange(v, i * 100, 100));
        fresh.softmax(zeros(100 + 50 * i, 4096));
        cache.attend(q);
      }
      const needed = cache.bytes + 2 * 1550 * 4096 * 4 + empty;
      assert.ok(fresh.info.memoryBytes <= 1.3 * needed, `${fresh.info.memoryBytes} bytes for ${needed}`);
      assertClose(cache.attend(q).output.data, fresh.attention(q, k, v).output.data);
    });

    test('a forgotten cache gives its memory back', async () => {
      setFlagsFromString('--expose-gc');
      const gc = runInNewContext('gc');
      const fresh = await freshEngine(variant);
      const settings = { kvHeads: 1, headDim: 64, valueDim: 64, capacity: 64 * 1024 };
      for (let round = 0; round < 20; round++) {
        fresh.createKvCache(settings); // 32 MiB each
        gc();
        await new Promise((resolve) => setTimeout(resolve));
        gc();
        await new Promise((resolve) => setTimeout(resolve));
      }
      assert.ok(fresh.info.memoryBytes < 200 * 2 ** 20);
    });

    test('when there is no memory, the append is refused, and the cache is as it was', async () => {
      const fresh = await freshEngine(variant);
      const cache = fresh.createKvCache({ kvHeads: 1, headDim: 64, valueDim: 64, dtype: 'f16' });
      const random = randomFrom(8);
      const [q, k, v] = [random.tensor([1, 64]), random.tensor([100, 64]), random.tensor([100, 64])];
      cache.append(k, v);
      const expected = cache.attend(q).output.data;
      const more = zeros(100_000, 64);
      assert.throws(() => {
        for (;;) cache.append(more, more);
      }, { name: 'RangeError', message: /^append: expected at least \d+ bytes of free memory on this device, got less$/ });
      const { length, bytes } = cache;
      assert.equal(length % 100_000, 100);
      assert.equal(bytes, length * 256);
      assertClose(cache.attend(q, { keyLengths: [100] }).output.data, expected);
      cache.append(k, v);
      assert.equal(cache.length, length + 100);
      cache.dispose();
      assertStillRight(fresh);
      fresh.softmax(zeros(30 * 2 ** 20 / 4096, 4096));
    });
  });
}
