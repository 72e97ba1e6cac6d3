import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleEdges, graphAllow, isPaddedQuery, position, pressed, restrictions, toggleEdge } from '../../../web/elements/mask/rules.js';

const size = { queries: 4, keys: 4 };
/** @type {import('../../../web/elements/mask/rules.js').MaskState} */
const state = { mask: 'causal', causal: false, window: 2, block: 2, length: null, edges: null, allow: null };

test('every preset is one restriction of the engine', () => {
  const of = (/** @type {Partial<typeof state>} */ changes) => restrictions({ ...state, ...changes }, size);
  assert.deepEqual(of({ mask: 'none' }), {});
  assert.deepEqual(of({ mask: 'causal' }), { causal: true });
  assert.deepEqual(of({ mask: 'padding' }), { keyLengths: [3] });
  assert.deepEqual(of({ mask: 'padding', length: 0 }), { keyLengths: [0] });
  assert.deepEqual(of({ mask: 'window', causal: true }), { window: 2, causal: true });
  assert.deepEqual(of({ mask: 'block' }), { blocks: { size: [2, 2], allow: [[true, false], [false, true]] } });
  assert.deepEqual(of({ mask: 'own' }), {});
});

test('blocks of unequal axes line up at the end, as queries are the tail of the keys', () => {
  const { blocks } = restrictions({ ...state, mask: 'block' }, { queries: 2, keys: 5 });
  assert.deepEqual(blocks, { size: [2, 2], allow: [[false, false, true]] });
});

test('the example graph is a tree, and its mask is symmetric with the diagonal open', () => {
  assert.deepEqual(exampleEdges(6), [[1, 2], [1, 3], [2, 4], [2, 5], [3, 6]]);
  assert.deepEqual(exampleEdges(1), []);
  const allow = graphAllow(exampleEdges(4), size);
  allow.forEach((row, i) => row.forEach((cell, j) => assert.equal(cell, allow[j][i])));
  assert.deepEqual(allow[1], [true, true, false, true]);
});

test('pressing a cell of a graph turns its edge, both ways', () => {
  const graph = { ...state, mask: /** @type {const} */ ('graph') };
  const shown = graphAllow(exampleEdges(4), size);
  assert.deepEqual(pressed(graph, size, shown, 3, 2).edges, [[1, 2], [1, 3], [2, 4], [3, 4]]);
  assert.deepEqual(pressed(graph, size, shown, 0, 1).edges, [[1, 3], [2, 4]]);
  assert.equal(pressed(graph, size, shown, 2, 2).mask, 'own');
  assert.deepEqual(toggleEdge([[1, 2]], [2, 1]), []);
});

test('pressing a cell of any other mask makes it the reader’s own', () => {
  const shown = [[true, false], [true, true]];
  assert.deepEqual(pressed({ ...state, causal: true }, { queries: 2, keys: 2 }, shown, 0, 1), { mask: 'own', causal: false, allow: [[true, true], [true, true]] });
  assert.deepEqual(shown, [[true, false], [true, true]]);
});

test('queries are the tail of the keys', () => {
  assert.equal(position(0, { queries: 2, keys: 5 }), 3);
  assert.equal(isPaddedQuery({ ...state, mask: 'padding', length: 4 }, { queries: 2, keys: 5 }, 1), true);
  assert.equal(isPaddedQuery({ ...state, mask: 'padding', length: 4 }, { queries: 2, keys: 5 }, 0), false);
  assert.equal(isPaddedQuery({ ...state, mask: 'causal', length: 1 }, size, 3), false);
});
