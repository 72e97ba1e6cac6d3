import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridStep } from '../../../web/view/grid-focus.js';

const size = { rows: 2, columns: 3 };
const from = (row, column, key, ctrlKey = false) => {
  const to = gridStep({ key, ctrlKey }, { row, column }, size);
  return to && [to.row, to.column];
};

test('arrows move by one cell and stop at the edges', () => {
  assert.deepEqual(from(0, 0, 'ArrowRight'), [0, 1]);
  assert.deepEqual(from(0, 2, 'ArrowRight'), [0, 2]);
  assert.deepEqual(from(0, 0, 'ArrowLeft'), [0, 0]);
  assert.deepEqual(from(0, 1, 'ArrowDown'), [1, 1]);
  assert.deepEqual(from(1, 1, 'ArrowDown'), [1, 1]);
  assert.deepEqual(from(0, 1, 'ArrowUp'), [0, 1]);
});

test('Home and End go to the ends of the row, with Ctrl of the grid', () => {
  assert.deepEqual(from(1, 1, 'Home'), [1, 0]);
  assert.deepEqual(from(0, 1, 'End'), [0, 2]);
  assert.deepEqual(from(1, 1, 'Home', true), [0, 0]);
  assert.deepEqual(from(0, 1, 'End', true), [1, 2]);
});

test('other keys do not move', () => {
  assert.equal(from(0, 0, 'a'), null);
});
