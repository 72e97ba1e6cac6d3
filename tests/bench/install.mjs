// Brings the other packages, into a folder of their own.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, say, SetupError } from '../../cpp/toolchain/run.mjs';
import { packages } from './contestants/peers.js';

const folder = fileURLToPath(new URL('.', import.meta.url));
export const peersFolder = path.join(folder, 'node_modules');
const mark = path.join(peersFolder, '.attn-installed');

/** Installs what the lock file names, if that was not done yet. @returns {string | undefined} why it could not be done */
export function installPeers() {
  const wanted = createHash('sha256').update(readFileSync(path.join(folder, 'package-lock.json'))).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return undefined;
  say('installing the packages to compare with');
  try {
    run(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  } catch (problem) {
    if (!(problem instanceof SetupError)) throw problem;
    say(problem.message);
    return 'could not be installed';
  }
  writeFileSync(mark, wanted);
  return undefined;
}

/** @returns {Record<string, string>} by package */
export function peerVersions() {
  const versionOf = (/** @type {string} */ name) => {
    const file = path.join(peersFolder, name, 'package.json');
    return existsSync(file) ? String(JSON.parse(readFileSync(file, 'utf8')).version) : 'missing';
  };
  return Object.fromEntries(Object.values(packages).map((name) => [name, versionOf(name)]));
}
