// The table of requirements in tests/README.md names tests that exist.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../cpp/toolchain/paths.mjs';

const folder = path.join(projectRoot, 'tests');
const rows = [...readFileSync(path.join(folder, 'README.md'), 'utf8').matchAll(/^\| ([ABF]\d\d) \| (.*?) \| (.*?) \| (.*) \|$/gm)].map(([, id, , reports, shownBy]) => ({ id, reports, shownBy }));

test('there are rows, in order, each with its reports', () => {
  assert.ok(rows.length >= 44, `${rows.length} rows`);
  const ids = rows.map(({ id }) => id);
  assert.deepEqual(ids, [...new Set(ids)].sort());
  for (const { id, reports } of rows) assert.match(reports, /#\d+/, id);
});

for (const { id, shownBy } of rows) {
  test(`${id} is shown by tests that exist`, () => {
    for (const entry of shownBy.split('<br>')) {
      const [, file, name] = /^`([\w/.-]+)`: (.+)$/.exec(entry) ?? [];
      assert.ok(name, `${entry}: expected a file and the name of a test`);
      const full = path.join(folder, file);
      assert.ok(existsSync(full), `${file} does not exist`);
      const text = readFileSync(full, 'utf8').replaceAll("\\'", "'");
      assert.ok(["'", '"', '`'].some((quote) => text.includes(quote + name + quote)), `${file} has no test "${name}"`);
    }
  });
}
