// Skips work whose inputs have not changed since it was last done.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildRoot, projectRoot } from '../../cpp/toolchain/paths.mjs';

/** @param {string} place a file or folder, relative to the project @returns {string[]} */
function filesIn(place) {
  const full = path.join(projectRoot, place);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [place];
  return readdirSync(full).sort().flatMap((name) => filesIn(path.join(place, name)));
}

/** @param {string[]} inputs */
function fingerprint(inputs) {
  const hash = createHash('sha256').update(process.version);
  for (const file of inputs.flatMap(filesIn)) hash.update(`${file}\0`).update(readFileSync(path.join(projectRoot, file)));
  return hash.digest('hex');
}

/**
 * @param {string} name
 * @param {{ inputs: string[], outputs: string[] }} files relative to the project; folders count with all that is in them
 * @param {() => unknown} work
 * @returns {Promise<boolean>} whether there was anything to do
 */
export async function unlessUpToDate(name, { inputs, outputs }, work) {
  const mark = path.join(buildRoot, 'done', name);
  const wanted = fingerprint(inputs);
  const there = outputs.every((output) => existsSync(path.join(projectRoot, output)));
  if (there && existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return false;
  rmSync(mark, { force: true }); // work that fails half way must not count as done
  await work();
  mkdirSync(path.dirname(mark), { recursive: true });
  writeFileSync(mark, wanted);
  return true;
}
