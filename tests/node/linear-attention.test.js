import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { linearFormula } from './support/linear-formula.js';
import { randomFrom } from './support/random.js';
import { column } from './support/tensors.js';

const maps = /** @type {const} */ (['elu+1', 'relu', 'identity']);
const rules = /** @type {const} */ ([undefined, 'linear', 'gated', 'delta', 'gated-delta']);

/** @param {ReturnType<typeof randomFrom>} random */
function drawCall(random) {
  const [batch, kvHeads, keys, d, dv] = [random.whole(1, 2), random.whole(1, 2), random.whole(0, 8), random.whole(1, 5), random.whole(1, 5)];
  const rule = random.pick(rules);
  const q = random.tensor([batch, kvHeads * random.whole(1, 3), random.whole(0, 8), d]);
  const k = random.tensor([batch, kvHeads, keys, d]);
  const v = random.tensor([batch, kvHeads, keys, dv]);
  const some = (/** @type {number[]} */ shape) => shape.map((size) => (random.next() < 0.7 ? size : 1));
  const small = (/** @type {number[]} */ shape, /** @type {number} */ factor) => {
    const { data } = random.tensor(shape);
    return { data: data.map((x) => factor * Math.abs(x)), shape };
  };
  /** @type {import('attn-widgets').LinearAttentionOptions} */
  const options = { rule };
  if (rule?.startsWith('gated')) options.decay = small(random.next() < 0.5 ? some([batch, kvHeads, keys]) : some([batch, kvHeads, keys, d]), -0.7);
  if (rule?.endsWith('delta')) options.beta = small(random.next() < 0.5 ? some([batch, kvHeads, keys]) : some([batch, kvHeads, keys, 1]), 0.1);
  if (random.next() < 0.5) options.causal = random.next() < 0.5;
  if (random.next() < 0.5) options.featureMap = random.pick(maps);
  if (random.next() < 0.5) options.scale = random.pick([0.5, 2, -1, 0]);
  // Sums of weights of both signs may come close to 0, and then no two ways of summing agree.
  const positive = (options.featureMap ?? (rule === undefined ? 'elu+1' : 'identity')) === 'elu+1' && !rule?.endsWith('delta');
  if (!positive) options.normalize = false;
  else if (random.next() < 0.5) options.normalize = random.next() < 0.5;
  if (random.next() < 0.5) {
    const normalized = options.normalize ?? rule === undefined;
    options.state = small([batch, kvHeads, d, dv + (normalized ? 1 : 0)], 1);
  }
  return { q, k, v, options };
}

for (const { variant, engine } of engines) {
  describe(`linearAttention (${variant})`, () => {
    test('equals the recurrence written down, for all options', () => {
      const random = randomFrom(61);
      for (let run = 0; run < 400; run++) {
        const { q, k, v, options } = drawCall(random);
        const expected = linearFormula(q, k, v, options);
        const at = `run ${run} ${JSON.stringify([q.shape, k.shape, v.shape, { ...options, decay: undefined, beta: undefined, state: undefined }])}`;
        const { output, state } = engine.linearAttention(q, k, v, options);
        assertClose(output.data, expected.output, 1e-6, at);
        assertClose(state.data, expected.state, 1e-12, at);
        assert.deepEqual([output.shape, state.shape], [[...q.shape.slice(0, 3), v.shape[3]], expected.stateShape]);
        const exact = engine.reference.linearAttention(q, k, v, options);
        assertClose(exact.output.data, expected.output, 1e-11, at);
        assertClose(exact.state.data, expected.state, 1e-12, at);
        assert.ok(exact.output.data instanceof Float64Array && state.data instanceof Float64Array);
      }
    });

    test('the defaults of the kernel form', () => {
      const random = randomFrom(62);
      const [q, k, v] = [random.tensor([4, 3]), random.tensor([6, 3]), random.tensor([6, 2])];
      const { output, state } = engine.linearAttention(q, k, v);
      assert.deepEqual([output.shape, state.shape], [[4, 2], [3, 3]]);
      assert.deepEqual(engine.linearAttention(q, k, v, { featureMap: 'elu+1', normalize: true, causal: false, scale: 7 }), { output, state });
      assert.deepEqual(engine.linearAttention(q, k, v, { rule: 'linear', featureMap: 'elu+1', normalize: true, causal: false }), { output, state });
      const plain = engine.linearAttention(q, k, v, { normalize: false });
      assert.deepEqual(plain, engine.linearAttention(q, k, v, { normalize: false, scale: 1 }));
      assert.deepEqual(plain.state.shape, [3, 2]);
      assertClose(engine.linearAttention(column(0, 0), column(0, 0, 0), column(3, 6, 12)).output.data, [7, 7]);
    });

    test('the defaults of the ONNX rules', () => {
      const random = randomFrom(63);
      const [q, k, v] = [random.tensor([2, 4, 4]), random.tensor([1, 4, 4]), random.tensor([1, 4, 3])];
      const { output, state } = engine.linearAttention(q, k, v, { rule: 'linear' });
      assert.deepEqual([output.shape, state.shape], [[2, 4, 3], [1, 4, 3]]);
      const spelled = { featureMap: /** @type {const} */ ('identity'), normalize: false, causal: true };
      assert.deepEqual(engine.linearAttention(q, k, v, { rule: 'linear', ...spelled, scale: 0.5 }), { output, state });
      assert.deepEqual(engine.linearAttention(q, k, v, { ...spelled, scale: 0.5 }), { output, state });
    });

    test('the rules by hand', () => {
      const ones = column(1, 1, 1);
      const values = column(3, 5, 7);
      const run = (/** @type {import('attn-widgets').LinearAttentionOptions} */ options) => [...engine.linearAttention(ones, ones, values, options).output.data];
      const decay = [Math.log(0.5), Math.log(0.5), Math.log(0.5)];
      assert.deepEqual(run({ rule: 'linear' }), [3, 8, 15]);
      assert.deepEqual(run({ rule: 'delta', beta: [1, 0.5, 0] }), [3, 4, 4]);
      assertClose(run({ rule: 'gated', decay }), [3, 6.5, 10.25]);
      assertClose(run({ rule: 'gated-delta', decay, beta: [1, 0.5, 0] }), [3, 3.25, 1.625]);
      assert.deepEqual(run({ rule: 'gated', decay: [0, -Infinity, 0] }), [3, 5, 12]);
      assert.deepEqual(run({ causal: true, featureMap: 'identity' }), [3, 4, 5]);
    });

    test('a sequence in chunks gives the bits of one call', () => {
      const random = randomFrom(64);
      for (const rule of rules) {
        const [q, k, v] = [random.tensor([2, 9, 3]), random.tensor([1, 9, 3]), random.tensor([1, 9, 2])];
        const [decay, beta] = [random.tensor([1, 9, 3]), random.tensor([1, 9])];
        const rows = (/** @type {import('./support/tensors.js').Flat} */ { data, shape: [heads, length, width = 1] }, /** @type {number} */ from, /** @type {number} */ to) => ({
          data: Float32Array.from({ length: heads * (to - from) * width }, (_, cell) => {
            const [head, rest] = [Math.floor(cell / ((to - from) * width)), cell % ((to - from) * width)];
            return data[(head * length + from) * width + rest];
          }),
          shape: [heads, to - from, width],
        });
        const gates = (/** @type {number} */ from, /** @type {number} */ to) => ({
          ...(rule?.startsWith('gated') && { decay: rows(decay, from, to) }),
          ...(rule?.endsWith('delta') && { beta: rows(beta, from, to) }),
        });
        const whole = engine.linearAttention(q, k, v, { rule, causal: true, ...gates(0, 9) });
        let /** @type {import('attn-widgets').Tensor<Float64Array> | undefined} */ state;
        for (const [from, to] of [[0, 1], [1, 1], [1, 6], [6, 9]]) {
          const part = engine.linearAttention(rows(q, from, to), rows(k, from, to), rows(v, from, to), { rule, causal: true, state, ...gates(from, to) });
          assert.deepEqual(part.output.data, rows({ data: whole.output.data, shape: whole.output.shape }, from, to).data);
          state = part.state;
        }
        assert.deepEqual(state, whole.state);
      }
    });

    test('NaN and Infinity concern the queries that see them', () => {
      const random = randomFrom(65);
      const [q, k, v] = [random.tensor([4, 2]), random.tensor([4, 2]), random.tensor([4, 2])];
      const clean = engine.linearAttention(q, k, v, { causal: true }).output.toNested();
      const broken = (/** @type {'q' | 'k' | 'v'} */ which, /** @type {number} */ cell, /** @type {number} */ value, causal = true) => {
        const inputs = { q, k, v, [which]: { data: { q, k, v }[which].data.slice(), shape: [4, 2] } };
        inputs[which].data[cell] = value;
        return engine.linearAttention(inputs.q, inputs.k, inputs.v, { causal }).output.toNested();
      };
      const nothing = [NaN, NaN];
      assert.deepEqual(broken('q', 2, NaN), [clean[0], nothing, clean[2], clean[3]]);
      assert.deepEqual(broken('k', 4, NaN), [clean[0], clean[1], nothing, nothing]);
      assert.deepEqual(broken('k', 4, Infinity)[1], clean[1]);
      assert.deepEqual(broken('v', 5, NaN), [clean[0], clean[1], [clean[2][0], NaN], [clean[3][0], NaN]]);
      assert.deepEqual(broken('v', 5, Infinity), [clean[0], clean[1], [clean[2][0], Infinity], [clean[3][0], Infinity]]);
      assert.deepEqual(broken('v', 5, NaN, false).map(([, second]) => second), [NaN, NaN, NaN, NaN]);
      // elu+1 of −∞ is 0: that key has no weight.
      const without = (/** @type {number[][]} */ rows) => [rows[0], rows[1], rows[3]];
      const nested = (/** @type {import('./support/tensors.js').Flat} */ { data }) => [0, 2, 4, 6].map((at) => [data[at], data[at + 1]]);
      const minus = nested(k);
      minus[2] = [-Infinity, -Infinity];
      assertClose(engine.linearAttention(q, minus, v).output.data, engine.linearAttention(q, without(nested(k)), without(nested(v))).output.data);
    });

    test('no keys, no queries, no weight', () => {
      const { output, state } = engine.linearAttention([[1, 2]], [], { data: [], shape: [0, 3] });
      assert.deepEqual([output.toNested(), state.toNested()], [[[0, 0, 0]], [[0, 0, 0, 0], [0, 0, 0, 0]]]);
      const none = engine.linearAttention({ data: [], shape: [0, 1] }, column(0, 0), column(3, 5));
      assert.deepEqual([none.output.shape, none.state.toNested()], [[0, 1], [[8, 2]]]);
      assert.deepEqual([...engine.linearAttention(column(1, -1), column(-1, -2), column(3, 5), { featureMap: 'relu' }).output.data], [0, 0]);
      assert.deepEqual([...engine.linearAttention(column(0, 0, 0), column(0), column(5), { causal: true }).output.data], [0, 0, 5]);
      assert.deepEqual([...engine.linearAttention(column(0), column(0, 0, 0), column(3, 6, 12), { causal: true }).output.data], [7]);
      assert.deepEqual(engine.linearAttention([[1]], [], { data: [], shape: [0, 1] }, { rule: 'gated', decay: [] }).output.toNested(), [[0]]);
    });

    test('a long sequence takes no memory in proportion to its square', () => {
      const n = 20000;
      const zeros = { data: new Float32Array(n * 4), shape: [n, 4] };
      const ones = { data: new Float32Array(n * 4).fill(1), shape: [n, 4] };
      const { output } = engine.linearAttention(zeros, zeros, ones, { causal: true });
      assert.ok(output.data.every((value) => Math.abs(value - 1) < 1e-6));
      const before = engine.info.memoryBytes;
      engine.linearAttention(zeros, zeros, ones, { causal: true });
      assert.equal(engine.info.memoryBytes, before);
      assert.ok(before < n * n);
    });
  });
}
