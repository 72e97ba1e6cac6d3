import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridStep, plane, squareAround } from '../../../web/view/vector-plane.js';

test('the plane maps there and back, y upwards', () => {
  const at = plane({ left: 10, top: 20, size: 220 }, [-3, -3], 6);
  for (const [x, y] of [[0, 0], [-3, 3], [1.25, -2.5]]) {
    assert.ok(Math.abs(at.fromX(at.x(x)) - x) < 1e-12 && Math.abs(at.fromY(at.y(y)) - y) < 1e-12);
  }
  assert.ok(at.y(1) < at.y(0));
});

test('grid lines are 1, 2 or 5 times a power of ten apart, at most nine of them', () => {
  assert.deepEqual([0.4, 6, 7.2, 12, 50, 2e6].map(gridStep), [0.05, 1, 1, 2, 10, 500000]);
});

test('a square holds all points and the origin', () => {
  const { low, span } = squareAround([[2, 0], [0, 4]], 0.25);
  assert.deepEqual([low, span], [[-2, -1], 6]);
  assert.ok(squareAround([[0, 0]], 0.2).span > 0);
});
