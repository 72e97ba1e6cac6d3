// The variant with relaxed SIMD: only where it is asked for, and within the same errors as the others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import v8 from 'node:v8';
import { loadEngine } from 'attn-widgets';
import { supportsRelaxedSimd } from '../../web/core/simd-probe.js';
import { assertClose } from './support/close.js';
import { randomFrom } from './support/random.js';
import { assertStillRight } from './support/refuses.js';

const { validate } = WebAssembly;
WebAssembly.validate = () => false;
const refused = loadEngine({ variant: 'relaxed' }).then(() => undefined, (error) => error);
WebAssembly.validate = validate;

if (!supportsRelaxedSimd()) v8.setFlagsFromString('--experimental-wasm-relaxed-simd'); // Node before 21
const engine = await loadEngine({ variant: 'relaxed' });

test('where the engine has no relaxed SIMD, it is refused', async () => {
  const { name, code, message } = await refused;
  assert.deepEqual({ name, code, message }, {
    name: 'EngineLoadError',
    code: 'unsupported',
    message: "variant: expected 'simd', 'scalar' or 'auto' here, got 'relaxed', which this WebAssembly engine does not support",
  });
});

test('it says what it is, and is never chosen by itself', async () => {
  assert.ok(supportsRelaxedSimd());
  const { variant, simd, relaxed } = engine.info;
  assert.deepEqual({ variant, simd, relaxed }, { variant: 'relaxed', simd: true, relaxed: true });
  const { info } = await loadEngine();
  assert.deepEqual({ variant: info.variant, relaxed: info.relaxed }, { variant: 'simd', relaxed: false });
});

test('its errors against float64 are within 1e-6 of the row’s largest |v|, whatever the shape, the masks and the size of the scores', () => {
  for (let seed = 0; seed < 150; seed++) {
    const random = randomFrom(seed);
    const [heads, nq, nk, d, dv] = [random.whole(1, 3), random.whole(1, 150), random.whole(1, 200), random.pick([1, 7, 8, 16, 33, 64, 65, 128, 256]), random.whole(1, 80)];
    const [q, k, v] = [random.tensor([heads, nq, d]), random.tensor([heads, nk, d]), random.tensor([heads, nk, dv])];
    const options = { causal: random.next() < 0.5, scale: random.pick([undefined, 1, 4]), ...(random.next() < 0.3 && { window: 9 }), ...(random.next() < 0.3 && { softcap: 5 }) };
    const got = engine.attention(q, k, v, { ...options, returnWeights: true, returnLogSumExp: true });
    const want = engine.reference.attention(q, k, v, { ...options, returnLogSumExp: true });
    const largest = v.data.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    got.output.data.forEach((x, i) => assert.ok(Math.abs(x - want.output.data[i]) <= 1e-6 * largest, `seed ${seed}, output[${i}]: expected ${want.output.data[i]}, got ${x}`));
    assertClose(got.weights.data, want.weights.data, 1e-6, `seed ${seed}, weights`);
    assertClose(got.logSumExp.data, want.logSumExp.data, 1e-6, `seed ${seed}, logSumExp`);
  }
});

test('gradients and caches are near those of the simd build', async () => {
  const simd = await loadEngine({ variant: 'simd' });
  const random = randomFrom(1);
  const [q, k, v, dOutput] = [random.tensor([40, 24]), random.tensor([70, 24]), random.tensor([70, 16]), random.tensor([40, 16])];
  const [got, want] = [engine, simd].map((each) => each.attentionBackward(q, k, v, dOutput, { causal: true }));
  for (const name of /** @type {const} */ (['dQuery', 'dKey', 'dValue'])) assertClose(got[name].data, want[name].data, 1e-5, name);
  const cache = engine.createKvCache({ kvHeads: 1, headDim: 24, valueDim: 16 });
  cache.append(k, v);
  assertClose(cache.attend(q, { causal: true }).output.data, simd.attention(q, k, v, { causal: true }).output.data);
  assertStillRight(engine);
});
