// What no call should do but one may: break the instance. The engine then goes on with a new one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Core } from '../../web/core/core.js';
import { instantiate } from '../../web/core/instance.js';
import { Layout } from '../../web/core/layout.js';

const module = new WebAssembly.Module(readFileSync(new URL('../../dist/wasm/simd.wasm', import.meta.url)));
const trap = () => {
  throw new WebAssembly.RuntimeError('unreachable');
};

test('a trap is reported as a refusal, and the next call runs on a new instance', async () => {
  const core = new Core(module, await instantiate(module));
  const broken = core.live('first');
  const layout = new Layout();
  layout.add('x', Float32Array, [4]);
  const reserve = (/** @type {import('../../web/core/raw.js').RawCore} */ raw) => raw._reserve(layout.bytes);
  assert.throws(() => core.execute('first', layout, reserve, trap), { name: 'RangeError', message: 'first: expected at least 128 bytes of free memory on this device, got less' });
  assert.notEqual(core.live('second'), broken);
  assert.ok(core.execute('second', layout, reserve, () => 'done').base > 0);
});

test('where no new instance can be made, later calls say so and the engine counts as gone', async () => {
  let ended = 0;
  const core = new Core(module, await instantiate(module), () => ended++);
  const { Instance } = WebAssembly;
  /** @type {any} */ (WebAssembly).Instance = class {
    constructor() {
      throw new RangeError('out of memory');
    }
  };
  try {
    assert.throws(() => core.execute('first', new Layout(), (raw) => raw._reserve(64), trap), { name: 'RangeError' });
  } finally {
    WebAssembly.Instance = Instance;
  }
  assert.equal(ended, 1);
  assert.throws(() => core.live('second'), { name: 'TypeError', message: 'second: expected a live engine, got one that ran out of memory and could not be started again; call loadEngine() for a new one' });
  core.dispose();
  assert.equal(ended, 1);
});

test('what is not a trap passes through', async () => {
  const core = new Core(module, await instantiate(module));
  const instance = core.live('first');
  assert.throws(() => core.execute('first', new Layout(), () => 64, () => { throw new TypeError('mine'); }), { name: 'TypeError', message: 'mine' });
  assert.equal(core.live('second'), instance);
});

test('a stack that overflows is reported as a refusal, and the next call runs on a new instance', async () => {
  const core = new Core(module, await instantiate(module));
  const broken = core.live('first');
  const overflow = () => {
    throw new RangeError('Maximum call stack size exceeded');
  };
  assert.throws(() => core.guard('first', 0, overflow), { name: 'RangeError', message: 'first: expected room on the stack for the call, got a stack that overflows (is there a function that calls itself without end?)' });
  const next = core.live('second');
  assert.notEqual(next, broken);
  assert.equal(core.guard('second', 0, (raw) => raw._memoryLimit()), core.limit);
  assert.throws(() => core.guard('third', 0, overflow), RangeError);
  core.dispose();
  assert.throws(() => core.live('fourth'), { name: 'TypeError', message: /^fourth: expected a live engine, got one that was disposed/ });
});
