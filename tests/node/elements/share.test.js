import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withQuery } from '../../../web/elements/share.js';

test('one name of the query is set; path, hash and the page’s own query stay letter by letter', () => {
  assert.equal(withQuery('https://a.b/c/?x=1&flag&y=%20#top', 'attn-two-key', '{"q":[0,1]}'), 'https://a.b/c/?x=1&flag&y=%20&attn-two-key=%7B%22q%22%3A%5B0%2C1%5D%7D#top');
  assert.equal(withQuery('https://a.b/c', 'w', '1'), 'https://a.b/c?w=1');
  assert.equal(withQuery('https://a.b/c?w=1&x=2', 'w', '3'), 'https://a.b/c?x=2&w=3');
});

test('null takes the name out again', () => {
  assert.equal(withQuery('https://a.b/c?w=1#h', 'w', null), 'https://a.b/c#h');
  assert.equal(withQuery('https://a.b/c?w.2=1&w=1', 'w', null), 'https://a.b/c?w.2=1');
});
