import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMath } from '../../../web/notes/build/math.js';

test('a formula becomes MathML with its roles as classes and no inline style', () => {
  const mathml = renderMath('\\out{O} = w_1\\,\\val{v_1}', true);
  assert.match(mathml, /^<math display="block" class="tml-display">/);
  assert.match(mathml, /<mi class="role-output">O<\/mi>/);
  assert.match(mathml, /<msub class="role-value">/);
  assert.doesNotMatch(mathml, /\sstyle=/);
});

test('a formula that needs an inline style is refused by name', () => {
  assert.throws(() => renderMath('a\\!b', false), { message: /^The formula "a\\!b" renders with an inline style/ });
});

test('a formula that is not TeX is refused', () => {
  assert.throws(() => renderMath('\\frac{1', false));
});
