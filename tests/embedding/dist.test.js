import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { version } from '../../web/version.js';
import { projectRoot } from './support/installed.js';
import { countExtensions } from './support/wasm-opcodes.js';

const dist = path.join(projectRoot, 'dist');
const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));

/** @param {string} name */
const read = (name) => readFileSync(path.join(dist, name));

test('no script makes code from text, knows Node, or looks beside itself', () => {
  const forbidden = [/\beval\(/, /\bnew Function\b/, /\bFunction\(/, /\bnode:/, /import\.meta/, /\bcreateRequire\b/, /(?<![.\w])require\(/, /\bdefine\.amd\b/];
  for (const name of scripts) {
    for (const pattern of forbidden) assert.doesNotMatch(read(name).toString(), pattern, name);
  }
});

/** What embedCode() writes down for the reader to paste: text, which no script loads. */
const embedAddress = `https://cdn.jsdelivr.net/npm/attn-widgets@${version}/dist/attn-widgets.js`;

test('no script fetches from an absolute address', () => {
  for (const name of scripts) {
    const addresses = [...read(name).toString().matchAll(/["'`]((?:https?:)?\/\/[^"'`\s]+)/g)].map(([, address]) => address);
    const others = addresses.filter((address) => address !== embedAddress && !/^http:\/\/www\.w3\.org\/(2000\/svg|1999\/xhtml|1999\/xlink|1998\/Math\/MathML)$/.test(address));
    assert.deepEqual(others, [], name);
    assert.doesNotMatch(read(name).toString(), /(?:from|import\()\s*["'`]\//, name);
  }
});

test('modules import only their neighbours in dist', () => {
  for (const name of scripts) {
    for (const [, place] of read(name).toString().matchAll(/(?:\bfrom|\bimport\(?)\s*["'`]([^"'`]+)["'`]/g)) {
      assert.match(place, /^\.\.?\//, name);
      assert.ok(scripts.includes(path.join(path.dirname(name), place)), `${name} imports ${place}`);
    }
  }
});

test('the single files import nothing but the scalar and the relaxed code, which they load only where there is no SIMD or it is asked for', () => {
  const second = /\bimport\(["'`]\.\/wasm\/(scalar|relaxed)\.js["'`]\)/g;
  for (const name of ['attn-widgets.js', 'attn-widgets.classic.js']) {
    const text = read(name).toString();
    assert.deepEqual([...text.matchAll(second)].map(([, variant]) => variant).sort(), ['relaxed', 'scalar'], name);
    assert.doesNotMatch(text.replace(second, ''), /\bimport\s*[("'{*]/, name);
  }
  assert.doesNotMatch(read('attn-widgets.classic.js').toString(), /^\s*export\b/m);
});

test('an application that uses one element gets one wasm, when it needs it', () => {
  for (const name of ['index.js', 'elements.js', 'elements/two-key.js']) {
    /** @type {Set<string>} */
    const loaded = new Set();
    const load = (/** @type {string} */ file) => {
      if (loaded.has(file)) return;
      loaded.add(file);
      for (const [, place] of read(file).toString().matchAll(/(?:\bfrom|\bimport)\s*["'`]([^"'`]+)["'`]/g)) load(path.join(path.dirname(file), place));
    };
    load(name);
    assert.deepEqual([...loaded].filter((file) => file.startsWith('wasm/')), [], name);
  }
});

const budgets = { 'attn-widgets.js': 150_000, 'attn-widgets.classic.js': 150_000, 'wasm/simd.wasm': 60_000, 'wasm/scalar.wasm': 60_000, 'wasm/relaxed.wasm': 60_000 };

for (const [name, budget] of Object.entries(budgets)) {
  test(`${name} weighs at most ${budget / 1000} kB gzipped`, (t) => {
    const weight = gzipSync(read(name), { level: 9 }).length;
    t.diagnostic(`${name}: ${(weight / 1000).toFixed(1)} kB gzipped`);
    assert.ok(weight <= budget, `expected at most ${budget} bytes, got ${weight}`);
  });
}

test('the simd module uses SIMD, the scalar one does not, only the relaxed one is relaxed, and none needs more than that', () => {
  const [simd, scalar, relaxed] = ['simd', 'scalar', 'relaxed'].map((variant) => countExtensions(read(`wasm/${variant}.wasm`)));
  assert.ok(simd.simd > 100, `${simd.simd} SIMD instructions`);
  assert.ok(relaxed.relaxed > 50, `${relaxed.relaxed} relaxed instructions`);
  // Every engine with SIMD has had memory.copy and memory.fill for longer.
  assert.deepEqual({ ...simd, simd: 0, bulk: 0 }, { simd: 0, relaxed: 0, atomic: 0, bulk: 0 });
  assert.equal(relaxed.atomic, 0);
  assert.deepEqual(scalar, { simd: 0, relaxed: 0, atomic: 0, bulk: 0 });
});

test('memory starts small, may grow, and is not shared', () => {
  const page = 65536;
  for (const variant of ['simd', 'scalar', 'relaxed']) {
    const { initial, maximum, shared } = memoryLimits(read(`wasm/${variant}.wasm`));
    assert.ok(initial * page <= 4 << 20, `${variant}: ${initial} pages at start`);
    assert.equal(maximum * page, 256 << 20);
    assert.equal(shared, false);
  }
});

/** The limits in the memory section. @param {Uint8Array} bytes */
function memoryLimits(bytes) {
  const memorySection = 5;
  let at = 8;
  const leb = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  for (;;) {
    const section = bytes[at++];
    const size = leb();
    if (section === memorySection) break;
    at += size;
    assert.ok(at < bytes.length, 'no memory section');
  }
  assert.equal(leb(), 1);
  const flags = leb();
  return { initial: leb(), maximum: leb(), shared: (flags & 2) !== 0 };
}
