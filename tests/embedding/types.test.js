import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { installPackage, projectRoot } from './support/installed.js';

const { folder } = installPackage();
cpSync(path.join(projectRoot, 'tests/embedding/samples'), folder, { recursive: true });

/** @param {string} file @param {string} module @param {string} moduleResolution */
function compile(file, module, moduleResolution) {
  const compiler = path.join(projectRoot, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom', '--module', module, '--moduleResolution', moduleResolution];
  return spawnSync(process.execPath, [compiler, ...options, file], { cwd: folder, encoding: 'utf8' }).stdout;
}

for (const [module, resolution] of [['node16', 'node16'], ['nodenext', 'nodenext'], ['esnext', 'bundler']]) {
  test(`TypeScript finds the types with moduleResolution ${resolution}`, () => {
    assert.equal(compile('right.ts', module, resolution), '');
  });
}

test('TypeScript refuses what the engine would refuse', () => {
  const lines = compile('wrong.ts', 'nodenext', 'nodenext').trim().split('\n').filter((line) => line.startsWith('wrong.ts'));
  assert.deepEqual(lines.map((line) => Number(/\((\d+),/.exec(line)?.[1])), [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
});
