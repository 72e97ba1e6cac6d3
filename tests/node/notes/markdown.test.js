import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMarkdown } from '../../../web/notes/build/markdown.js';

const markdown = createMarkdown({ quotes: '“”‘’' });
/** @param {string} html */
const withoutMath = (html) => html.replace(/<math>.*?<\/math>/g, '𝑥').trim();

test('numbers and what they belong to do not break across lines', () => {
  assert.equal(markdown.render('is 67.0 % at [1, 0.5]').trim(), '<p>is 67.0\u00a0% at [1,\u00a00.5]</p>');
  assert.equal(withoutMath(markdown.render('With $q$ = [1, 0], yes')), '<p>With <span class="bound">𝑥 = [1, 0],</span> yes</p>');
});

test('punctuation stays with its formula, in both kinds of brackets', () => {
  assert.equal(withoutMath(markdown.render('（$d$ 是宽度，$k$）。')), '<p><span class="bound">（𝑥</span> 是宽度，<span class="bound">𝑥）。</span></p>');
  assert.equal(withoutMath(markdown.render('a ($d$) b')), '<p>a <span class="bound">(𝑥)</span> b</p>');
});

test('raw HTML is text, and a box that is never closed is refused', () => {
  assert.equal(markdown.render('<b onclick=x>').trim(), '<p>&lt;b onclick=x&gt;</p>');
  assert.throws(() => markdown.render('::: figure a\nno end'), { message: '"::: figure a" is never closed with ":::".' });
});

test('a margin note and the paragraph before it share one element', () => {
  const types = markdown.parse('One.\n\nTwo.\n\n::: not "Claim."\nAnswer.\n:::\n\nThree.', {}).map(({ type }) => type).filter((type) => /pair|box|paragraph_open/.test(type));
  assert.deepEqual(types, ['paragraph_open', 'pair_open', 'paragraph_open', 'box_open', 'paragraph_open', 'box_close', 'pair_close', 'paragraph_open']);
});
