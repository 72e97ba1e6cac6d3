import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layout } from '../../../web/elements/mask/layout.js';

/** @param {number} width @param {number} n @param {Partial<Parameters<typeof layout>[0]>} [changes] */
const of = (width, n, changes = {}) => layout({ width, queries: n, keys: n, labels: 60, header: 20, compare: false, below: 0, ...changes });

test('three matrices side by side where the cells stay readable, else the mask over the scores', () => {
  assert.equal(of(928, 3).kind, 'row');
  assert.equal(of(1368, 12).kind, 'row');
  assert.equal(of(928, 8).kind, 'pair');
  assert.equal(of(668, 4).kind, 'pair');
  assert.equal(of(328, 3).kind, 'stack');
});

test('nothing leaves the figure and nothing overlaps, from 288 to 1368 px and 1 to 12 tokens', () => {
  for (let width = 288; width <= 1368; width += 40) {
    for (let n = 1; n <= 12; n += 1) {
      for (const compare of [false, true]) {
        const at = of(width, n, { compare, labels: width < 400 ? 20 : 60, below: 84 });
        const where = `${width} px, ${n} tokens, ${at.kind}`;
        assert.ok(at.left >= 0, where);
        assert.ok(at.output + at.outputWidth <= width + 0.5, `${where}: ${at.output + at.outputWidth}`);
        const boxes = Object.values(at.at).map(({ x, y }) => ({ x, y, right: x + n * at.size, bottom: y + n * at.size }));
        boxes.forEach((one, index) => boxes.slice(index + 1).forEach((other) => {
          assert.ok(one.right <= other.x || other.right <= one.x || one.bottom <= other.y || other.bottom <= one.y, where);
        }));
        assert.ok(Math.max(...boxes.map(({ bottom }) => bottom)) <= at.height, where);
      }
    }
  }
});

test('comparing adds the two orders under what is there', () => {
  const { at, sums } = of(928, 3, { compare: true });
  assert.deepEqual(Object.keys(at), ['scores', 'mask', 'weights', 'softmax', 'zeroed', 'renormalised']);
  assert.deepEqual(Object.keys(sums), ['weights', 'zeroed']);
  assert.deepEqual(Object.keys(of(328, 3, { compare: true }).at), ['mask', 'weights', 'zeroed', 'renormalised']);
});
