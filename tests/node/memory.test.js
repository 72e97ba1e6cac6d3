// Memory: steady in use, grown once and no further than needed, and whole again after a refusal.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freshEngine } from './support/fresh-engine.js';
import { randomFrom } from './support/random.js';
import { assertStillRight, refuses } from './support/refuses.js';
import { zeros } from './support/tensors.js';

/** @typedef {import('attn-widgets').Engine} Engine */

const { grow } = WebAssembly.Memory.prototype;

/** Runs `work` with another way for a memory to grow. @param {typeof grow} by @param {() => void} work */
function growing(by, work) {
  WebAssembly.Memory.prototype.grow = by;
  try {
    work();
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
}

for (const variant of ['simd', 'scalar']) {
  describe(`memory (${variant})`, () => {
    test('10,000 calls of varied size, refused ones included, leave it as it was after ten', async () => {
      const engine = await freshEngine(variant);
      const random = randomFrom(1);
      const long = zeros(2000, 64);
      const inputs = [long, zeros(1, 1), ...Array.from({ length: 30 }, () => zeros(random.whole(0, 60), random.whole(1, 60)))];
      const weights = (/** @type {any} */ x) => zeros(x.shape[1], x.shape[1]);
      /** @type {((x: any) => unknown)[]} */
      const calls = [
        (x) => engine.attention(x, x, x, { causal: true, returnWeights: true, returnLogSumExp: true, window: 5 }),
        (x) => engine.reference.attention(x, x, x),
        (x) => engine.scores(x, x),
        (x) => engine.softmax(x),
        (x) => engine.rowSums(x),
        (x) => engine.mask({ queries: x.shape[0], keys: 7, allowKeys: [true, true, true, true, true, true, false] }),
        (x) => engine.attention(x, x, x, { scoring: { kind: 'cosine' }, trace: true }),
        (x) => engine.scores(x, x, { scoreMod: (score) => score + 1, maskMod: (_b, _h, i, j) => i !== j }),
        (x) => engine.attentionBackward(x, x, x, x, { causal: true }),
        (x) => engine.multiHeadAttention(x, { wq: weights(x), wk: weights(x), wv: weights(x), wo: weights(x), heads: 1, returnHeads: true }),
        (x) => engine.linearAttention(x, x, x, { rule: 'linear' }),
        (x) => engine.explain.gradient(x, x, x, { component: 0 }),
        (x) => engine.positions.rope(x, { interleaved: true }),
        (x) => engine.attention(x, x.data, x),
        (x) => engine.attention(x, x, x, { window: 0 }),
      ];
      calls[0](long);
      calls[1](long);
      let expected = 0;
      for (let i = 0; i < 10000; i++) {
        const x = random.pick(inputs.slice(1));
        try {
          random.pick(calls)(x);
        } catch (error) {
          assert.ok(error instanceof TypeError || error instanceof RangeError, String(error));
        }
        if (i === 9) expected = engine.info.memoryBytes;
      }
      assert.equal(engine.info.memoryBytes, expected);
      assertStillRight(engine);
    });

    test('grows once for a call, to at most a fifth more than it needs; small calls grow nothing afterwards', async () => {
      const engine = await freshEngine(variant);
      let grown = 0;
      /** @this {WebAssembly.Memory} @param {number} pages */
      function countingGrow(pages) {
        grown++;
        return grow.call(this, pages);
      }
      growing(countingGrow, () => {
        const before = engine.info.memoryBytes;
        const x = zeros(16384, 64);
        const { report } = engine.attention(x, x, x, { window: 8 });
        const needed = 4 * x.data.byteLength + report.workingBytes;
        assert.equal(grown, 1);
        assert.ok(engine.info.memoryBytes <= 1.2 * (needed + before), `${engine.info.memoryBytes} bytes for ${needed}`);
        for (let i = 0; i < 1000; i++) engine.attention([[1]], [[1]], [[1]]);
        assert.equal(grown, 1);
      });
    });

    for (const [first, prepare] of Object.entries({
      'the first call': (/** @type {Engine} */ engine) => engine.softmax([1, 2]),
      'a call of another kind': (/** @type {Engine} */ engine) => engine.attention([[1]], [[1]], [[1]]),
    })) {
      test(`a large call after ${first} leaves room for a larger one, each growing to at most a fifth more than it needs`, async () => {
        const engine = await freshEngine(variant);
        const empty = engine.info.memoryBytes;
        prepare(engine);
        for (const megabytes of [100, 160, 240]) {
          const rows = (megabytes * 2 ** 20) / (2 * 4096 * 4);
          engine.softmax(zeros(rows, 4096));
          const { memoryBytes } = engine.info;
          assert.ok(memoryBytes <= 1.2 * (megabytes * 2 ** 20 + empty), `${memoryBytes} bytes for ${megabytes} MiB`);
          for (let i = 0; i < 100; i++) {
            engine.attention([[1]], [[1]], [[1]]);
            engine.scores([[1]], [[1]]);
            engine.rowSums([[1]]);
          }
          assert.equal(engine.info.memoryBytes, memoryBytes);
        }
        assertStillRight(engine);
      });
    }

    test('scratch stays bounded by length, not by its square', async () => {
      const engine = await freshEngine(variant);
      const scratch = (/** @type {number} */ n) => engine.attention(zeros(n, 8), zeros(n, 8), zeros(n, 8), { window: 8 }).report.workingBytes;
      assert.ok(scratch(32768) <= 2.5 * scratch(16384));
    });

    test('when the device has no more memory, the call is refused and the next one works', async () => {
      const engine = await freshEngine(variant);
      const x = zeros(16384, 64);
      const refusing = () => {
        throw new RangeError('WebAssembly.Memory.grow(): maximum memory size exceeded');
      };
      growing(refusing, () => {
        for (const [name, method] of Object.entries({ attention: engine.attention, 'reference.attention': engine.reference.attention })) {
          const attention = /** @type {typeof engine.attention} */ (method);
          refuses(engine, () => attention(x, x, x, { window: 2, returnWeights: false }), RangeError, new RegExp(`^${name}: expected at least \\d+ bytes of free memory on this device, got less$`));
        }
        refuses(engine, () => engine.mask({ queries: 4096, keys: 4096 }), RangeError, /^mask: expected at least 16777\d+ bytes/);
      });
      assert.equal(engine.attention(x, x, x, { window: 2 }).output.data.length, 16384 * 64);
      assertStillRight(engine);
    });

    test('results and inputs may be transferred away', async () => {
      const engine = await freshEngine(variant);
      const { output } = engine.attention([[1]], [[1]], [[7]]);
      const moved = structuredClone(output.data, { transfer: [output.data.buffer] });
      assert.deepEqual([...moved], [7]);
      assertStillRight(engine);
    });
  });
}
