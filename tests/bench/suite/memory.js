// What a long call needs beyond its inputs and its output.
import { createProblem } from './problem.js';
import { engineContestant } from '../contestants/engine.js';

/** @typedef {{ queries: number, width: number, workingBytes: number }} MemoryResult */

const width = 64;
const queries = 65_536;
const window = 64;

/**
 * Without a mask the long call takes half a minute. With a window it takes the same memory, which is shown by a shorter call first.
 * @param {import('./package.js').Engine} engine
 * @returns {MemoryResult}
 */
export function measureMemory(engine) {
  const { report } = engineContestant(engine);
  const workingBytes = (/** @type {import('./problem.js').Wanted} */ wanted) => Number(report(createProblem(wanted))?.workingBytes);
  const [full, within] = [workingBytes({ queries: 2048, width }), workingBytes({ queries: 2048, width, window })];
  if (full !== within) throw new Error(`memory: expected a window to change nothing, got ${within} bytes with one and ${full} without.`);
  return { queries, width, workingBytes: workingBytes({ queries, width, window }) };
}
