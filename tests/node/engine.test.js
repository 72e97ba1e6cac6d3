// The engine object: what it says about itself, and its end.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { loadEngine } from 'attn-widgets';
import { engines } from './support/engines.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

describe('info', () => {
  for (const { variant, engine } of engines) {
    test(`F09: one thread, and it says so (${variant})`, () => {
      const { memoryBytes, ...rest } = engine.info;
      assert.deepEqual(rest, { version, variant, simd: variant === 'simd', relaxed: false, threads: 1 });
      assert.ok(memoryBytes > 0 && memoryBytes <= 4 * 2 ** 20, `${memoryBytes} bytes at the start`);
    });
  }
});

test('methods work without their object', () => {
  const { attention, reference: { attention: formula } } = engines[0].engine;
  assert.deepEqual(attention([[1]], [[1]], [[7]]).output.toNested(), [[7]]);
  assert.deepEqual(formula([[1]], [[1]], [[7]]).output.toNested(), [[7]]);
});

describe('dispose', () => {
  test('every call afterwards says so, and the next loadEngine gives a new engine', async () => {
    const engine = await loadEngine({ variant: 'scalar' });
    const { output } = engine.attention([[1]], [[1]], [[7]]);
    engine.dispose();
    engine.dispose();
    assert.deepEqual(output.toNested(), [[7]]);
    const calls = {
      attention: () => engine.attention([[1]], [[1]], [[1]]),
      'reference.attention': () => engine.reference.attention([[1]], [[1]], [[1]]),
      scores: () => engine.scores([[1]], [[1]]),
      mask: () => engine.mask({ queries: 1, keys: 1 }),
      softmax: () => engine.softmax([1]),
      rowSums: () => engine.rowSums([[1]]),
      maskAfterSoftmax: () => engine.maskAfterSoftmax([[1]], [[true]]),
      geometry: () => engine.geometry([1], [[1]]),
      info: () => engine.info,
    };
    for (const [name, call] of Object.entries(calls)) {
      assert.throws(call, { name: 'TypeError', message: `${name}: expected a live engine, got one that was disposed; call loadEngine() for a new one` });
    }
    const next = await loadEngine({ variant: 'scalar' });
    assert.notEqual(next, engine);
    assert.deepEqual(next.attention([[1]], [[1]], [[7]]).output.toNested(), [[7]]);
  });
});
