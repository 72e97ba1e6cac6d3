// Ratios of times, each of one run in one process, after results were compared.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertClose } from '../node/support/close.js';
import { engines } from '../node/support/engines.js';
import { randomFrom } from '../node/support/random.js';

const [simd, scalar] = engines.map(({ engine }) => engine);

/**
 * How many times as long `slow` takes as `fast`, by the shortest time of each, taken in turns. On a busy machine the
 * shortest times come late: it goes on until the ratio is as large as it has to be, or for 400 rounds.
 * @param {() => void} slow @param {() => void} fast @param {number} wanted
 */
function ratioOfTimes(slow, fast, wanted) {
  const shortest = [Infinity, Infinity];
  for (let round = 0; round < 400 && (round < 20 || shortest[0] < wanted * shortest[1]); round++) {
    [slow, fast].forEach((work, i) => {
      const start = performance.now();
      work();
      shortest[i] = Math.min(shortest[i], performance.now() - start);
    });
  }
  return shortest[0] / shortest[1];
}

test('F12: with SIMD a call is at least 1.5 times as fast as without, at n = 512 and d = 64', (t) => {
  const random = randomFrom(12);
  const [q, k, v] = [random.tensor([512, 64]), random.tensor([512, 64]), random.tensor([512, 64])];
  assert.deepEqual([simd.info.simd, scalar.info.simd], [true, false]);
  assertClose(simd.attention(q, k, v).output.data, scalar.attention(q, k, v).output.data);
  const ratio = ratioOfTimes(() => scalar.attention(q, k, v), () => simd.attention(q, k, v), 1.5);
  t.diagnostic(`${ratio.toFixed(1)} times as fast`);
  assert.ok(ratio >= 1.5, `${ratio} times as fast`);
});

test('F04: copies are less than 5 % of a call at n = 1024 and d = 64', (t) => {
  // Where no query may see a key, there are the copies and nothing to compute.
  const random = randomFrom(4);
  const [q, k, v] = [random.tensor([1024, 64]), random.tensor([1024, 64]), random.tensor([1024, 64])];
  assert.ok(simd.attention(q, k, v, { keyLengths: [0] }).output.data.every((x) => x === 0));
  const ratio = ratioOfTimes(() => simd.attention(q, k, v), () => simd.attention(q, k, v, { keyLengths: [0] }), 20);
  t.diagnostic(`${(100 / ratio).toFixed(1)} %`);
  assert.ok(ratio >= 20, `${100 / ratio} %`);
});
