import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvText } from '../../../web/view/csv.js';

test('numbers keep every digit, texts are quoted where they must be, null is empty', () => {
  const columns = ['name', 'x'];
  assert.equal(csvText({ columns, rows: [['a,b', 0.1 + 0.2], ['say "hi"\n', -Infinity], [null, false]] }),
    'name,x\r\n"a,b",0.30000000000000004\r\n"say ""hi""\n",-Infinity\r\n,false\r\n');
});
