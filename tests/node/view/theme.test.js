import assert from 'node:assert/strict';
import { test } from 'node:test';
import { palette } from '../../../web/view/theme.css.js';

/** Relative luminance of WCAG 2. */
function luminance(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const TEXT = ['ink', 'muted', 'query', 'key', 'value', 'output', 'weight', 'problem'];

for (const [theme, colors] of Object.entries(palette)) {
  test(`every text colour of the ${theme} theme reads on its surfaces`, () => {
    for (const name of TEXT) {
      for (const below of ['surface', 'raised']) {
        const ratio = contrast(colors[name], colors[below]);
        assert.ok(ratio >= 4.5, `${name} on ${below}: ${ratio.toFixed(2)}`);
      }
    }
    // What lights up in a table: its numbers, in the colours a table has.
    for (const name of ['ink', 'muted', 'weight', 'problem']) assert.ok(contrast(colors[name], colors.lit) >= 4.5, `${name} on lit`);
  });
}
