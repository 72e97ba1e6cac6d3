// Running programs and saying what happens.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** A problem the reader can act on: shown as its sentence, without a stack. */
export class SetupError extends Error {}

/** @param {string} message */
export const say = (message) => console.log(`setup: ${message}`);

/**
 * @param {string[]} command
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
export function run([program, ...args], options = {}) {
  const done = spawnSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', maxBuffer: 2 ** 28, ...options });
  if (done.error) throw new SetupError(`${program} could not be started: ${done.error.message}.`);
  if (done.status !== 0) {
    const output = `${done.stdout ?? ''}${done.stderr ?? ''}`.trim();
    throw new SetupError(`"${[program, ...args].join(' ')}" failed with exit code ${done.status}.\n${output}`.trim());
  }
  return String(done.stdout ?? '').trim();
}

/** @param {string} program @returns {string | undefined} its full path */
export function which(program) {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const candidate = path.join(folder, program);
    try {
      accessSync(candidate, constants.X_OK);
      if (statSync(candidate).isFile()) return candidate;
    } catch {
      // Not here: the next folder may have it.
    }
  }
  return undefined;
}

/** @param {string} text @param {string} minimum both like "3.1.69" */
export function atLeast(text, minimum) {
  const [have, want] = [text, minimum].map((version) => version.split('.').map(Number));
  for (let i = 0; i < want.length; ++i) {
    if ((have[i] ?? 0) !== want[i]) return (have[i] ?? 0) > want[i];
  }
  return true;
}
