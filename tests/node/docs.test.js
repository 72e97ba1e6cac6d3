import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import util from 'node:util';
import vm from 'node:vm';
import { projectRoot } from '../../cpp/toolchain/paths.mjs';
import { apiFile, apiReference } from '../../web/tools/docs.mjs';
import { engines } from './support/engines.js';

const docs = path.join(projectRoot, 'web/docs');

/** The pages whose examples are run. */
const pages = [path.join(projectRoot, 'README.md'), ...readdirSync(docs).filter((file) => file.endsWith('.md')).map((file) => path.join(docs, file))];

/** @param {string} text @returns {{ line: number, code: string }[]} */
const examplesIn = (text) =>
  [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map(({ index, 1: code }) => ({ line: text.slice(0, index).split('\n').length, code }));

/** What the comments behind `console.log` say it prints, as a pattern: … stands for digits that are left out. @param {string} code */
function printedBy(code) {
  const said = [...code.matchAll(/console\.log\(.*\); +\/\/ (.*)$/gm)].map(([, text]) => text).join(' ');
  const pattern = said.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\s+/g, '\\s+').replace(/…/g, '\\d*');
  return { said, pattern: new RegExp(`^${pattern}$`) };
}

/** Runs an example as if it were a module, and returns what it printed. @param {string} code @param {object} engine */
async function run(code, engine) {
  /** @type {string[]} */
  const printed = [];
  const log = (/** @type {unknown[]} */ ...values) => printed.push(util.format(...values));
  const body = code.replace(/^import .*$/gm, '').replace(/^const engine = .*$/gm, '');
  await vm.compileFunction(`return (async () => {${body}})()`, ['engine', 'console'])(engine, { log });
  return printed.join(' ').replace(/\s+/g, ' ');
}

for (const { variant, engine } of engines) {
  describe(`examples in the documents (${variant})`, () => {
    for (const page of pages) {
      const text = readFileSync(page, 'utf8');
      for (const { line, code } of examplesIn(text).filter((example) => example.code.includes('console.log'))) {
        test(`${path.basename(page)}, line ${line}`, async () => {
          const { said, pattern } = printedBy(code);
          const printed = await run(code, engine);
          assert.match(printed, pattern, `the page says ${said}`);
        });
      }
    }
  });
}

test('every rule of the Semantics page has an example', () => {
  const text = readFileSync(path.join(docs, 'semantics.md'), 'utf8');
  const sections = text.split(/^## /m).slice(1);
  assert.ok(sections.length >= 14, `${sections.length} rules`);
  for (const section of sections) {
    const title = section.split('\n')[0];
    assert.ok(examplesIn(section).some(({ code }) => code.includes('console.log')), `${title}: no example`);
  }
});

test('links within the documents have their targets', () => {
  const anchors = new Map(pages.map((page) => [page, anchorsOf(readFileSync(page, 'utf8'))]));
  for (const page of pages) {
    for (const [, target] of readFileSync(page, 'utf8').replace(/^```[^]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [file, anchor] = target.split('#');
      const full = file ? path.resolve(path.dirname(page), file) : page;
      const known = anchors.get(full);
      assert.doesNotThrow(() => readFileSync(full), `${path.basename(page)} links to ${target}`);
      if (anchor && known) assert.ok(known.has(anchor), `${path.basename(page)} links to ${target}, which has no such heading`);
    }
  }
});

/** Headings as the fragments they get on GitHub. @param {string} text */
const anchorsOf = (text) =>
  new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')));

test('the API reference is what the sources say: run `npm run docs` after changing their comments', async () => {
  assert.equal(readFileSync(apiFile, 'utf8'), await apiReference());
});

/** The names of all calls below an object. @param {object} object @param {string} [before] @returns {string[]} */
const callsOf = (object, before = '') =>
  Object.entries(object).flatMap(([key, value]) => {
    if (typeof value === 'function') return [before + key];
    return key === 'info' ? [] : callsOf(value, `${before}${key}.`);
  });

test('the API reference and the README name every call of the engine', () => {
  const reference = readFileSync(apiFile, 'utf8');
  const readme = readFileSync(pages[0], 'utf8');
  const calls = callsOf(engines[0].engine);
  assert.ok(calls.length > 10, calls.join());
  for (const call of calls) {
    assert.ok(reference.includes(`### engine.${call}\n`), `${call} is not in the API reference`);
    const last = call.split('.').pop();
    assert.ok(call === 'dispose' || readme.includes(`\`${call}\``) || readme.includes(`\`.${last}\``), `${call} is not in the README`);
  }
});
