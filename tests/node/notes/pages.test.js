import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fillPage } from '../../../web/notes/build/pages.js';

const notes = fileURLToPath(new URL('../../../web/notes/', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'attn-note-'));
after(() => rmSync(scratch, { recursive: true }));

/**
 * The page made from a copy of the note in which some files are different.
 * @param {string} page
 * @param {Record<string, (text: string) => string>} changes
 */
function pageWith(page, changes = {}) {
  const root = join(scratch, String(Math.random()));
  cpSync(notes, root, { recursive: true });
  for (const [file, change] of Object.entries(changes)) writeFileSync(join(root, file), change(readFileSync(join(root, file), 'utf8')));
  return fillPage(root, readFileSync(join(root, page), 'utf8'));
}

test('every language is in the page, each figure once', () => {
  const html = pageWith('index.html');
  assert.match(html, /<html lang="en" data-languages="en zh-CN"/);
  const prose = [...html.matchAll(/<div class="prose" lang="([^"]+)" data-lang="\1">/g)].map(([, tag]) => tag);
  assert.equal(prose.filter((tag) => tag === 'en').length, prose.filter((tag) => tag === 'zh-CN').length);
  const figures = html.match(/<figure /g)?.length;
  assert.equal(html.match(/<attn-[a-z-]+[ >]/g)?.length, figures);
  assert.equal(html.match(/<figcaption>/g)?.length, figures);
});

test('pages have no inline style or script, and no placeholder is left', () => {
  for (const page of ['index.html', 'gallery.html', 'embed.html']) {
    const html = pageWith(page);
    assert.doesNotMatch(html, /\sstyle=|<style|\son[a-z]+=/, page);
    for (const [, attributes, body] of html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)) {
      assert.ok(body.trim() === '' || attributes.includes('application/json'), `${page}: ${body}`);
    }
    assert.doesNotMatch(html, /<!-- /, page);
  }
});

test('ids are unique and every link within the page has its target', () => {
  for (const page of ['index.html', 'gallery.html']) {
    const html = pageWith(page);
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(ids.filter((id, at) => ids.indexOf(id) !== at), [], page);
    for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(target), `${page}: #${target}`);
  }
});

test('what is missing in one language is named', () => {
  assert.throws(() => pageWith('index.html', { 'locales/zh-CN.json': (text) => text.replace('"contents"', '"content"') }), { message: 'locales/zh-CN.json lacks: contents.' });
  assert.throws(() => pageWith('index.html', { 'sections/mixing/zh-CN.md': (text) => text.replace('::: figure two-key', '::: figure three-keys') }), {
    message: 'sections/mixing: zh-CN.md shows the figures three-keys, three-keys; en.md shows two-key, three-keys.',
  });
});
