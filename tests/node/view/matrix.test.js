import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellFont, hatch } from '../../../web/view/matrix.js';

test('strokes of masked cells run on into the neighbours', () => {
  for (const size of [17, 28, 44, 60]) {
    const ends = [...hatch(size).matchAll(/M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/g)].map((match) => match.slice(1).map(Number));
    assert.ok(ends.length >= 6);
    const onTop = ends.filter(([, y]) => y === 0).map(([x]) => x);
    const onBottom = ends.filter(([, , , y]) => y === size).map(([, , x]) => x);
    onTop.forEach((x, at) => assert.ok(Math.abs(x - onBottom[at]) < 0.02 || onBottom.some((other) => Math.abs(other - x) < 0.02), `${size}: ${x}`));
  }
});

test('a text gets the largest size that fits its cell, or none', () => {
  assert.equal(cellFont('0.309', 60), 15);
  assert.ok(cellFont('−5.31', 44) < 15 && cellFont('−5.31', 44) >= 12);
  assert.equal(cellFont('0.309', 17), 0);
  assert.ok(cellFont('−∞', 17) >= 8.5 || cellFont('−∞', 17) === 0);
  assert.equal(cellFont('½', 60), 20);
});
