import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, inkOn, luminance, scoreLimit, scoreTint, weightColor } from '../../../web/view/color.js';
import { palette } from '../../../web/view/theme.css.js';

const shares = Array.from({ length: 101 }, (_, at) => at / 100);
const hexOf = { black: '#000000', white: '#ffffff' };

test('the lightness of a weight grows with it, and its hue stays', () => {
  const lights = shares.map((share) => luminance(weightColor(share)));
  lights.slice(1).forEach((light, at) => assert.ok(light > lights[at], `weight ${shares[at + 1]} is no lighter than ${shares[at]}`));
  for (const share of shares) {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(weightColor(share).slice(at, at + 2), 16));
    assert.ok(blue > green && green > red, `${weightColor(share)} at ${share} is not slate`);
  }
});

test('weights out of range take the colour of the nearer end', () => {
  assert.equal(weightColor(-1), weightColor(0));
  assert.equal(weightColor(1.0000001), weightColor(1));
});

test('every weight can be read: at least 4.5:1', () => {
  for (const share of shares) {
    const color = weightColor(share);
    assert.ok(contrast(color, hexOf[inkOn(color)]) >= 4.5, `${color} at ${share}`);
  }
});

test('contrast is that of WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.ok(Math.abs(contrast('#777777', '#ffffff') - 4.48) < 0.005);
});

test('scores are symmetric about 0, and only finite ones set the scale', () => {
  assert.equal(scoreLimit([1, -3, Infinity, NaN]), 3);
  assert.equal(scoreLimit([]), 0);
  assert.deepEqual(scoreTint(0, 3), { side: 'zero', strength: 0 });
  assert.deepEqual(scoreTint(-3, 3), { side: 'negative', strength: 1 });
  assert.deepEqual(scoreTint(1.5, 3), { side: 'positive', strength: 0.5 });
  assert.deepEqual(scoreTint(0, 0), { side: 'zero', strength: 0 });
});

test('scores can be read at full strength and in between: the page’s ink on a tint of the page', () => {
  for (const theme of /** @type {const} */ (['light', 'dark'])) {
    const { surface, ink, positive, negative } = palette[theme];
    for (const side of [positive, negative]) {
      for (const share of shares) assert.ok(contrast(ink, mixed(surface, side, share)) >= 4.5, `${theme}, ${side} at ${share}`);
    }
  }
});

/** @param {string} under @param {string} over @param {number} opacity what a browser paints */
function mixed(under, over, opacity) {
  const channel = (/** @type {number} */ at) => {
    const [a, b] = [under, over].map((hex) => parseInt(hex.slice(at, at + 2), 16));
    return Math.round(a + (b - a) * opacity).toString(16).padStart(2, '0');
  };
  return `#${[1, 3, 5].map(channel).join('')}`;
}
