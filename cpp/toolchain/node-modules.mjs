// The npm packages this project is developed with.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './paths.mjs';
import { run, say } from './run.mjs';

const lockFile = path.join(projectRoot, 'package-lock.json');
const mark = path.join(projectRoot, 'node_modules/.attn-installed');

/** Installs exactly what package-lock.json names, when it changed or was never installed. */
export function installNodeModules() {
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  say('installing npm packages');
  run(['npm', 'ci', '--no-audit', '--no-fund'], { cwd: projectRoot });
  writeFileSync(mark, wanted);
}
