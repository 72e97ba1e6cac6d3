import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layout } from '../../../web/elements/two-key/layout.js';
import { litParts } from '../../../web/elements/two-key/lit-parts.js';
import { WIDE, WIDEST } from '../../../web/view/theme.css.js';

test('wide: three parts side by side, none over another, the table never too narrow for its numbers', () => {
  for (let width = WIDE; width <= WIDEST; width += 7) {
    const { query, table, value, height } = layout(width, 2);
    assert.ok(query.left === 0 && query.left + query.size < table.left);
    assert.ok(table.left + table.width < value.left && value.left + value.size === width);
    assert.ok(table.width >= 275, `${table.width} at ${width}`);
    assert.ok(height >= query.top + query.size);
  }
});

test('narrow: stacked, within the width', () => {
  for (let width = 240; width < WIDE; width += 7) {
    const { query, table, value, height } = layout(width, 3);
    for (const part of [query, value]) assert.ok(part.left >= 0 && part.left + part.size <= width);
    assert.ok(query.top + query.size < table.top && table.top + table.head + 3 * table.row < value.top && value.top + value.size < height);
  }
});

test('more keys make the figure taller, never the rows too low to point at', () => {
  for (const width of [288, 760]) {
    assert.ok(layout(width, 12).height > layout(width, 2).height);
    assert.ok(layout(width, 12).table.row >= 48);
  }
});

test('a part lights up with what it is made of', () => {
  assert.deepEqual([...litParts('weight:1', 2)], ['weight:1', 'score:0', 'score:1']);
  assert.deepEqual([...litParts('score:1', 2)], ['score:1', 'dot:1']);
  assert.deepEqual([...litParts('dot:0', 2)], ['dot:0', 'q', 'key:0']);
  assert.deepEqual([...litParts('output', 2)], ['output', 'weight:0', 'weight:1', 'value:0', 'value:1']);
  assert.equal(litParts(null, 2).size, 0);
});
