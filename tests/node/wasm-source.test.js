// The bytes inside the package: packed by the build, unpacked by the loader.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { patch } from '../../web/core/patch.js';
import { wasmSources } from '../../web/core/wasm-source.js';
import { deltaOf } from '../../web/tools/delta.mjs';
import { randomFrom } from './support/random.js';

const file = (/** @type {string} */ variant) => new Uint8Array(readFileSync(new URL(`../../dist/wasm/${variant}.wasm`, import.meta.url)));

test('each variant comes out as the compiler wrote it', async () => {
  assert.deepEqual(await wasmSources.simd(), file('simd'));
  assert.deepEqual(await wasmSources.scalar(), file('scalar'));
});

describe('patch', () => {
  test('puts together what deltaOf took apart', () => {
    const random = randomFrom(2);
    const noise = (/** @type {number} */ length) => Uint8Array.from({ length }, () => random.whole(0, 255));
    for (let round = 0; round < 100; round++) {
      const base = noise(random.whole(0, 300));
      const pieces = Array.from({ length: random.whole(0, 5) }, () => {
        const start = random.whole(0, base.length);
        return random.next() < 0.7 ? base.subarray(start, random.whole(start, base.length)) : noise(random.whole(0, 200));
      });
      const target = Uint8Array.from(pieces.flatMap((piece) => [...piece]));
      assert.deepEqual(patch(base, deltaOf(base, target), target.length), target, `round ${round}`);
    }
  });

  test('what stays the same takes no room', () => {
    assert.ok(deltaOf(file('simd'), file('simd')).length < 10);
  });
});
