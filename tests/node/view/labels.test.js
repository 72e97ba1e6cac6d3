import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeLabels, textWidth } from '../../../web/view/labels.js';

const bounds = { left: 0, top: 0, right: 200, bottom: 200 };
const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

test('a free label lies in the direction it wants, its gap away', () => {
  const [box] = placeLabels([{ at: { x: 100, y: 100 }, toward: { x: 1, y: 0 }, width: 40, height: 20, gap: 6 }], { bounds });
  assert.deepEqual(box, { left: 106, right: 146, top: 90, bottom: 110 });
});

test('labels of one point keep off each other, off boxes and within the bounds', () => {
  const label = { at: { x: 170, y: 100 }, toward: { x: 1, y: -1 }, width: 40, height: 20, gap: 6 };
  const taken = { left: 168, right: 200, top: 60, bottom: 86 };
  const boxes = placeLabels([label, label], { bounds, boxes: [taken] });
  for (const box of boxes) {
    assert.ok(box.left >= 0 && box.top >= 0 && box.right <= 200 + 1e-9 && box.bottom <= 200 + 1e-9, JSON.stringify(box));
    assert.ok(apart(box, taken), JSON.stringify(box));
  }
  assert.ok(apart(boxes[0], boxes[1]), JSON.stringify(boxes));
});

test('a label makes way for a line', () => {
  const label = { at: { x: 100, y: 100 }, toward: { x: 1, y: 0 }, width: 40, height: 20, gap: 6 };
  const [box] = placeLabels([label], { bounds, lines: [[{ x: 100, y: 100 }, { x: 180, y: 100 }]] });
  assert.ok(box.bottom < 100 || box.top > 100, JSON.stringify(box));
});

test('a wide letter counts as a whole em', () => {
  assert.equal(textWidth('查询', 10), 20);
});
