// Results in memory of the caller's: the numbers of a call without it, in that memory and nowhere else, on every path.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadEngine } from 'attn-widgets';
import { engines } from './support/engines.js';
import { freshEngine } from './support/fresh-engine.js';
import { randomFrom } from './support/random.js';
import { refuses } from './support/refuses.js';
import { assertSame, assertSameOnThreads } from './support/same-result.js';

const random = randomFrom(7);
const [q, k, v] = [random.tensor([2, 5, 4]), random.tensor([2, 6, 4]), random.tensor([2, 6, 3])];
const everything = /** @type {const} */ ({ returnWeights: true, returnScores: true, returnLogSumExp: true });
const layers = { wq: random.tensor([4, 6]), wk: random.tensor([4, 6]), wv: random.tensor([4, 4]), heads: 2 };
const x = random.tensor([5, 4]);

/** Memory for results of these sizes, full of NaN. @param {any} result */
function blankOf(result) {
  const { report: _, trace: __, ...tensors } = result;
  const blank = (/** @type {any} */ { data, shape }) => ({ data: new data.constructor(data.length).fill(NaN), shape });
  return Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, blank(tensor)]));
}

for (const { variant, engine } of engines) {
  const cache = engine.createKvCache({ kvHeads: 2, headDim: 4, valueDim: 3 });
  cache.append(k, v);

  /** Every call that takes `out`. @type {Record<string, (options: any) => any>} */
  const calls = {
    attention: (options) => engine.attention(q, k, v, { ...everything, ...options }),
    'attention with a mask and a trace': (options) => engine.attention(q, k, v, { ...everything, causal: true, trace: true, ...options }),
    attentionAsync: (options) => engine.attentionAsync(q, k, v, { ...everything, ...options }),
    'cache.attend': (options) => cache.attend(q, { ...everything, ...options }),
    multiHeadAttention: (options) => engine.multiHeadAttention(x, { ...layers, ...everything, returnHeads: true, ...options }),
    'reference.attention': (options) => engine.reference.attention(q, k, v, { ...everything, ...options }),
    'reference.multiHeadAttention': (options) => engine.reference.multiHeadAttention(x, { ...layers, ...everything, returnHeads: true, ...options }),
  };

  describe(`out (${variant})`, () => {
    for (const [name, call] of Object.entries(calls)) {
      test(`${name}: the same numbers, in the memory that was handed in`, async () => {
        const wanted = await call({});
        const out = blankOf(wanted);
        const got = await call({ out });
        assert.deepEqual(got, wanted);
        for (const each of Object.keys(out)) assert.equal(got[each].data, out[each].data, each);
        for (const each of Object.keys(out)) got[each].data.fill(NaN);
        const again = await call({ out: got });
        assert.deepEqual(again, wanted);
        for (const each of Object.keys(out)) assert.equal(again[each].data, out[each].data, each);
      });
    }

    test('an array or a tensor; what is not there is new, and what is not returned stays as it is', () => {
      const output = new Float32Array(30).fill(NaN);
      const weights = { data: new Float32Array(60).fill(7), shape: [60] };
      const wanted = engine.attention(q, k, v, { returnScores: true });
      const got = engine.attention(q, k, v, { returnScores: true, out: { output, weights } });
      assertSame(got, wanted);
      assert.equal(got.output.data, output);
      assert.deepEqual(got.output.shape, [2, 5, 3]);
      assert.ok(weights.data.every((number) => number === 7));
      assert.deepEqual(weights.shape, [60]);
    });

    test('an array or a tensor alone is for the output', () => {
      const output = new Float32Array(30);
      assert.equal(engine.attention(q, k, v, { out: output }).output.data, output);
      const result = engine.attention(q, k, v, { out: { data: output, shape: [30] } });
      assert.equal(result.output.data, output);
      assertSame(engine.attention(q, k, v, { out: result.output }), engine.attention(q, k, v));
    });

    test('part of a larger buffer, of a shared one too: nothing is written beside it', () => {
      const wanted = engine.attention(q, k, v);
      for (const Buffer of [ArrayBuffer, SharedArrayBuffer]) {
        const all = new Float32Array(new Buffer(40 * 4)).fill(7);
        engine.attention(q, k, v, { out: { output: all.subarray(5, 35) } });
        assert.deepEqual([...all.subarray(5, 35)], [...wanted.output.data]);
        assert.ok([...all.subarray(0, 5), ...all.subarray(35)].every((number) => number === 7));
      }
    });

    test('an input of the same call may be written over', () => {
      const wanted = engine.attention(q, q, q).output.data;
      const own = { data: q.data.slice(), shape: q.shape };
      engine.attention(own, own, own, { out: { output: own } });
      assert.deepEqual(own.data, wanted);
    });

    test('without queries there is nothing to write', () => {
      const output = new Float32Array(0);
      assert.equal(engine.attention([], [[1]], [[1]], { out: { output } }).output.data, output);
    });

    const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);
    const detached = new Float32Array(30);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    const both = new Float32Array(100);
    for (const [what, out, kind, sentence] of /** @type {[string, any, any, string][]} */ ([
      ['nothing', null, TypeError, 'out: expected an object, got null'],
      ['a number', 7, TypeError, 'out: expected an object, got 7'],
      ['an array of another length', both, RangeError, 'out.output: expected 30 values, got 100'],
      ['another name', { outputs: both }, TypeError, 'out: expected known names (did you mean "output"?), got "outputs"'],
      ['other numbers', { output: new Float64Array(30) }, TypeError, 'out.output: expected a Float32Array or a tensor with one, got Float64Array of length 30'],
      ['a class that poses as another', { output: Object.defineProperty(new Uint8Array(30), Symbol.toStringTag, { value: 'Float32Array' }) }, TypeError, 'out.output: expected a Float32Array or a tensor with one, got Float32Array of length 30'],
      ['a list', { output: { data: new Array(30).fill(0), shape: [2, 5, 3] } }, TypeError, 'out.output: expected a Float32Array or a tensor with one, got an array of length 30'],
      ['null', { output: null }, TypeError, 'out.output: expected a Float32Array or a tensor with one, got null'],
      ['another length', { output: new Float32Array(31) }, RangeError, 'out.output: expected 30 values, got 31'],
      ['a detached array', { output: detached }, TypeError, 'out.output: expected values, got a view of a detached buffer (it was transferred away)'],
      ['the same memory twice', { output: both.subarray(0, 30), weights: both.subarray(29, 89) }, RangeError, 'out.weights: expected memory apart from that of out.output, got some of the same'],
      ['a getter that throws', { get output() { throw new Error('no'); } }, TypeError, 'out: expected a value that can be read, got an error while reading it (no)'],
    ])) {
      test(`${what} is refused`, () => {
        refuses(engine, () => engine.attention(q, k, v, { returnWeights: true, out: any(out) }), kind, sentence);
      });
    }

    test('a refused call writes nothing', () => {
      const output = new Float32Array(30).fill(7);
      refuses(engine, () => engine.attention(q, k, v, { out: { output }, scale: NaN }), RangeError, /^scale: /);
      refuses(engine, () => engine.attention(q, k, v, { out: { output }, maskMod: () => any(1) }), TypeError, /^maskMod/);
      refuses(engine, () => engine.attention(q, k, v, { returnWeights: true, out: { output, weights: new Float32Array(3) } }), RangeError, 'out.weights: expected 60 values, got 3');
      assert.ok(output.every((number) => number === 7));
    });

    test('nothing is written if one of several arrays is gone by then', () => {
      const output = new Float32Array(30).fill(7);
      const weights = new Float32Array(60);
      const out = { output, weights, scores: { get data() { structuredClone(weights.buffer, { transfer: [weights.buffer] }); return new Float32Array(60); } } };
      refuses(engine, () => engine.attention(q, k, v, { ...everything, out }), RangeError, 'out.weights: expected the 60 values it had when the call began, got 0');
      assert.ok(output.every((number) => number === 7));
    });

    test('nothing is written into nothing, not even where there is no buffer any more', async () => {
      const output = new Float32Array(0);
      const pending = engine.attentionAsync([], [[1]], [[1]], { out: output });
      structuredClone(output.buffer, { transfer: [output.buffer] });
      assert.equal((await pending).output.data, output);
    });

    test('what a class says of itself is not asked for in the middle of a call', () => {
      class Own extends Float64Array {
        get [Symbol.toStringTag]() {
          engine.reference.attention([[9]], [[9]], [[9]]);
          return /** @type {const} */ ('Float64Array');
        }
      }
      const output = new Own(30);
      engine.reference.attention(q, k, v, { out: { output } });
      assert.deepEqual([...output], [...engine.reference.attention(q, k, v).output.data]);
    });

    test('a class of the caller’s has no say in what is written', () => {
      class Own extends Float32Array {
        set() {
          throw new Error('not asked');
        }
        get length() {
          return 3;
        }
      }
      const output = new Own(30);
      engine.attention(q, k, v, { out: { output } });
      assert.deepEqual([...new Float32Array(output.buffer)], [...engine.attention(q, k, v).output.data]);
    });

    test('memory that is transferred before the answer refuses the call, and the next one is right', async () => {
      const own = freshEngine(variant);
      const output = new Float32Array(30);
      const pending = (await own).attentionAsync(q, k, v, { out: { output } });
      structuredClone(output.buffer, { transfer: [output.buffer] });
      await assert.rejects(pending, { name: 'RangeError', message: 'out.output: expected the 30 values it had when the call began, got 0' });
      assertSame(await (await own).attentionAsync(q, k, v), engine.attention(q, k, v));
    });
  });
}

test('several threads write their parts into it', async () => {
  const engine = await loadEngine({ threads: 2 });
  const large = random.tensor([1500, 64]);
  const wanted = engine.attention(large, large, large, { returnLogSumExp: true });
  const out = blankOf(wanted);
  let got;
  for (let i = 0; i < 100 && (got = await engine.attentionAsync(large, large, large, { returnLogSumExp: true, out })).report.threads < 2; i++); // they start meanwhile
  assert.equal(got?.output.data, out.output.data);
  assert.equal(got?.logSumExp.data, out.logSumExp.data);
  assertSameOnThreads(got, wanted);
  engine.dispose();
});
