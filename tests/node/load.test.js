// Loading: shared, retriable, from every source, and each failure in words.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { EngineLoadError, loadEngine } from 'attn-widgets';
import { lookalikeOf } from './support/foreign-module.js';
import { assertStillRight } from './support/refuses.js';
import { serve } from './support/server.js';

const simdFile = new URL('../../dist/wasm/simd.wasm', import.meta.url);
const scalarFile = new URL('../../dist/wasm/scalar.wasm', import.meta.url);
const simd = readFileSync(simdFile);

/**
 * Replaces a property while `work` runs.
 * @template T
 * @param {object} object @param {string} name @param {unknown} value @param {() => Promise<T>} work
 */
async function replacing(object, name, value, work) {
  const own = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(object, name));
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
  try {
    return await work();
  } finally {
    Object.defineProperty(object, name, own);
  }
}

/** @param {Promise<unknown>} promise @param {string} code @param {string | RegExp} message */
const failsWith = (promise, code, message) =>
  assert.rejects(promise, (/** @type {unknown} */ error) => {
    assert.ok(error instanceof EngineLoadError, String(error));
    assert.equal(error.code, code);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  });

describe('sharing', () => {
  test('ten calls at once compile once and give one engine', async () => {
    const { compile } = WebAssembly;
    let compiled = 0;
    const counting = (/** @type {BufferSource} */ bytes) => {
      compiled++;
      return compile(bytes);
    };
    const engines = await replacing(WebAssembly, 'compile', counting, () => Promise.all(Array.from({ length: 10 }, () => loadEngine({ variant: 'scalar' }))));
    assert.equal(compiled, 1);
    assert.equal(new Set(engines).size, 1);
    assert.equal(await loadEngine({ variant: 'scalar' }), engines[0]);
  });

  test('auto is the variant it picks, and variants are apart', async () => {
    assert.equal(await loadEngine(), await loadEngine({ variant: 'simd' }));
    assert.equal(await loadEngine(), await loadEngine({ variant: undefined, wasm: undefined }));
    assert.notEqual(await loadEngine(), await loadEngine({ variant: 'scalar' }));
  });
});

describe('variants', () => {
  test('without SIMD, auto gives the scalar build and simd is refused', () =>
    replacing(WebAssembly, 'validate', () => false, async () => {
      const engine = await loadEngine();
      assert.equal(engine.info.variant, 'scalar');
      assertStillRight(engine);
      await failsWith(loadEngine({ variant: 'simd' }), 'unsupported', "variant: expected 'scalar' or 'auto' here, got 'simd', which this WebAssembly engine does not support");
    }));

  test('a given module is used as what it is', async () => {
    assert.equal((await loadEngine({ wasm: readFileSync(scalarFile) })).info.variant, 'scalar');
    await assert.rejects(loadEngine({ wasm: readFileSync(scalarFile), variant: 'simd' }), { name: 'RangeError', message: "variant: expected 'simd', as asked for, got the 'scalar' build from the given bytes" });
  });

  test('no WebAssembly: said once per call, and it can be tried again', async () => {
    await replacing(globalThis, 'WebAssembly', undefined, () =>
      failsWith(loadEngine(), 'unsupported', 'loadEngine: expected WebAssembly, got none: this browser or its settings do not support it'));
    assertStillRight(await loadEngine());
  });

  test('options that are refused', async () => {
    const load = (/** @type {any} */ options) => loadEngine(options);
    await assert.rejects(load({ variant: 'relaxd' }), { name: 'TypeError', message: "variant: expected 'auto', 'simd', 'scalar' or 'relaxed', got \"relaxd\"" });
    await assert.rejects(load({ wams: simd }), { name: 'TypeError', message: 'options: expected known names (did you mean "wasm"?), got "wams"' });
    await assert.rejects(load({ wasm: 5 }), { name: 'TypeError', message: 'wasm: expected a URL, an ArrayBuffer, a Response or a WebAssembly.Module, got 5' });
    await assert.rejects(load(null), { name: 'TypeError', message: 'options: expected an object, got null' });
  });
});

describe('sources of the module', () => {
  /** @type {Awaited<ReturnType<typeof serve>>} */
  let server;
  before(async () => {
    server = await serve((path, asked) => {
      switch (path) {
        case '/octets': return { body: simd, type: 'application/octet-stream' };
        case '/text': return { body: simd, type: 'text/plain' };
        case '/page': return { body: '\n<!doctype html><title>Not found</title>', type: 'text/html' };
        case '/page-as-wasm': return { body: '<html></html>' };
        case '/missing': return { status: 404, body: 'no', type: 'text/plain' };
        case '/broken': return { body: simd.subarray(0, 100) };
        case '/flaky': return asked % 2 === 1 ? { status: 503, body: 'later', type: 'text/plain' } : { body: simd };
        default: return { body: simd };
      }
    });
  });
  after(() => server.close());

  const exact = () => simd.buffer.slice(simd.byteOffset, simd.byteOffset + simd.byteLength);
  const forms = {
    'a URL as text': () => `${server.url}/a.wasm`,
    'a URL': () => new URL(`${server.url}/b.wasm`),
    'a URL of a file': () => simdFile,
    'an ArrayBuffer': exact,
    'a view of a larger buffer': () => {
      const larger = new Uint8Array(simd.length + 20);
      larger.set(simd, 7);
      return larger.subarray(7, 7 + simd.length);
    },
    'a Response': () => fetch(`${server.url}/c.wasm`),
    'a Response made by hand': () => new Response(simd),
    'a compiled module': () => WebAssembly.compile(simd),
  };
  for (const [name, form] of Object.entries(forms)) {
    test(name, async () => {
      const wasm = await form();
      const engines = await Promise.all([loadEngine({ wasm }), loadEngine({ wasm })]);
      assert.equal(engines[0], engines[1]);
      assertStillRight(engines[0]);
    });
  }

  test('one request, whatever the content type', async () => {
    for (const path of ['/octets', '/text', '/d.wasm']) {
      server.requests.length = 0;
      assertStillRight(await loadEngine({ wasm: server.url + path }));
      assert.deepEqual(server.requests, [path]);
    }
  });

  test('a failed load can be tried again', async () => {
    server.requests.length = 0;
    const wasm = `${server.url}/flaky`;
    await failsWith(loadEngine({ wasm }), 'fetch', `wasm: expected the module at ${wasm}, got status 503`);
    assertStillRight(await loadEngine({ wasm }));
  });

  test('a web page in place of the module names the URL', async () => {
    for (const path of ['/page', '/page-as-wasm']) {
      await failsWith(loadEngine({ wasm: server.url + path }), 'html', `wasm: expected a WebAssembly module from ${server.url}${path}, got an HTML page`);
    }
  });

  test('what else can go wrong', async () => {
    await failsWith(loadEngine({ wasm: `${server.url}/missing` }), 'fetch', `wasm: expected the module at ${server.url}/missing, got status 404`);
    await failsWith(loadEngine({ wasm: `${server.url}/broken` }), 'compile', /^wasm: expected a WebAssembly module from http.*\/broken, got bytes that do not compile \(/);
    await failsWith(loadEngine({ wasm: 'http://127.0.0.1:1/a.wasm' }), 'fetch', 'wasm: expected the module at http://127.0.0.1:1/a.wasm, got no answer');
    await failsWith(loadEngine({ wasm: 'file:///nowhere/a.wasm' }), 'fetch', 'wasm: expected the module at file:///nowhere/a.wasm, got no answer');
    await failsWith(loadEngine({ wasm: new Uint8Array(0) }), 'compile', /from the given bytes, got bytes that do not compile/);
    const used = new Response(simd);
    await used.arrayBuffer();
    await failsWith(loadEngine({ wasm: used }), 'fetch', /^wasm: expected an unread response from the given response/);
    const empty = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
    await failsWith(loadEngine({ wasm: empty }), 'compile', /^wasm: expected this version's engine from the given bytes, got another module/);
    const foreign = lookalikeOf(await WebAssembly.compile(simd));
    await failsWith(loadEngine({ wasm: foreign }), 'compile', /^wasm: expected this version's engine from the given bytes, got another module/);
  });
});

describe('surroundings', () => {
  const entry = import.meta.resolve('attn-widgets');
  const run = (/** @type {string} */ program, cwd = '/') => execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const use = `const { loadEngine } = await import(${JSON.stringify(entry)}); console.log((await loadEngine()).attention([[1]], [[1]], [[7]]).output.data[0]);`;

  test('from another folder, without fetch, and with a fetch that throws', () => {
    assert.equal(run(use), '7');
    assert.equal(run(`delete globalThis.fetch; ${use}`), '7');
    assert.equal(run(`globalThis.fetch = () => { throw new Error('fetched') }; ${use}`), '7');
  });

  test('importing has no effect', () => {
    const program = `const before = Reflect.ownKeys(globalThis).length; WebAssembly.compile = WebAssembly.instantiate = () => { throw new Error('started') };
      await import(${JSON.stringify(entry)}); console.log(Reflect.ownKeys(globalThis).length - before);`;
    assert.equal(run(program), '0');
  });

  test('nothing is said on the console', () => {
    const program = `for (const name of ['log', 'warn', 'error', 'info', 'debug']) console[name] = () => process.exit(3);
      const { loadEngine } = await import(${JSON.stringify(entry)}); const engine = await loadEngine(); engine.attention([[1]], [[1]], [[1]]); process.stdout.write('quiet');`;
    assert.equal(run(program), 'quiet');
  });
});
