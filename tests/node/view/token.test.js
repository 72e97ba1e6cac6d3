import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isolated, shortToken, textWidth, visibleToken } from '../../../web/view/token.js';

test('every token shows, whatever it is made of', () => {
  assert.deepEqual(['', ' ', 'a b', '\n', '\r\n', '\t', '\u200b', '\u00a0'].map(visibleToken), ['∅', '␣', 'a␣b', '↵', '↵', '⇥', '·', '⍽']);
  assert.equal(visibleToken('<img src=x>'), '<img␣src=x>');
});

test('characters that would turn the line round are shown, not obeyed', () => {
  assert.equal(visibleToken('\u202eabc'), '·abc');
  assert.equal(isolated('שלום'), '\u2068שלום\u2069');
});

test('an emoji of several code points stays whole', () => {
  assert.equal(visibleToken('👩‍🚀'), '👩‍🚀');
  assert.equal(shortToken('👩‍🚀👩‍🚀👩‍🚀', 2.2), '👩‍🚀…');
});

test('long tokens are cut to the width, short ones are not', () => {
  assert.equal(shortToken('cat', 5), 'cat');
  assert.equal(shortToken('internationalisation', 5), 'interna…');
  assert.ok(textWidth(shortToken('internationalisation', 5)) <= 5.6);
  assert.ok(textWidth('注意力') > textWidth('abc'));
});
