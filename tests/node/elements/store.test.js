import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberField, vectorField } from '../../../web/elements/fields.js';
import { Store, copy } from '../../../web/elements/store.js';

const store = () => new Store({ q: vectorField({ attribute: 'q', default: [1, 0] }), t: numberField({ attribute: 'temperature', default: 1 }) });

test('the last write wins; reset goes back to the markup', () => {
  const values = store();
  values.fromMarkup({ q: [0, 1] });
  values.settle();
  values.fromProgram({ q: [2, 2] });
  assert.equal(values.fromReader({ q: [3, 3] }), true);
  assert.equal(values.fromReader({ q: [3, 3] }), false);
  assert.deepEqual([values.pick(['q']).q, values.pick(['q'], 'given').q], [[3, 3], [2, 2]]);
  values.reset(['q', 't']);
  assert.deepEqual(values.pick(['q']).q, [0, 1]);
});

test('a property set before the first picture counts as markup', () => {
  const values = store();
  values.fromProgram({ q: [2, 2] });
  values.settle();
  values.fromReader({ q: [3, 3] });
  values.reset(['q']);
  assert.deepEqual(values.pick(['q']).q, [2, 2]);
});

test('nobody outside holds the values themselves', () => {
  const values = store();
  const given = [5, 5];
  values.fromProgram({ q: given });
  given[0] = 9;
  values.pick(['q']).q[0] = 9;
  assert.deepEqual(values.pick(['q']).q, [5, 5]);
});

test('attributes are what differs from the defaults', () => {
  const values = store();
  values.fromReader({ t: 0.5 });
  assert.deepEqual(values.attributes(), [['temperature', '0.5']]);
});

test('a copy keeps non-finite numbers', () => {
  assert.deepEqual(copy({ a: [NaN, -Infinity], b: null }), { a: [NaN, -Infinity], b: null });
});
