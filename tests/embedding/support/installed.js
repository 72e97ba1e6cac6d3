// The package as a stranger gets it: packed, and installed into an empty folder without a network.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** @param {string} program @param {string[]} args @param {string} cwd @returns {string} */
const run = (program, args, cwd) => execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** @returns {{ folder: string, files: string[] }} */
export function installPackage() {
  const folder = mkdtempSync(path.join(tmpdir(), 'attn-embedding-'));
  after(() => rmSync(folder, { recursive: true }));
  const [{ filename, files }] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], projectRoot));
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], folder);
  return { folder, files: files.map((/** @type {{ path: string }} */ file) => file.path) };
}

/** Runs the text of a module in `folder` and returns what it prints. @param {string} folder @param {string} text @param {string} [cwd] */
export function runModule(folder, text, cwd = folder) {
  const file = path.join(folder, 'sample.mjs');
  writeFileSync(file, text);
  return run(process.execPath, ['--throw-deprecation', file], cwd);
}
