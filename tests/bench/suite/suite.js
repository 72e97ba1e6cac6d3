// All chosen cases, one after another, in one process: the same in Node and in a page.
import { engineContestant } from '../contestants/engine.js';
import { plain } from '../contestants/plain.js';
import { measureLimit } from '../limit/limit.js';
import { chosenCases, MEMORY, WORKERS } from './cases.js';
import { efforts, measureCase } from './measure.js';
import { measureMemory } from './memory.js';
import { measureWorkers } from './workers.js';

/** @typedef {{ names: string[], quick: boolean }} Choice */
/** @typedef {{ name: string, start: () => Promise<import('../contestants/contestant.js').Contestant> }} Peer */

/**
 * @typedef {object} SuiteResult
 * @property {{ name: string, version?: string, unable?: string }[]} contestants
 * @property {{ name: string, unit: string, samples: number[] }[]} limits
 * @property {string} [withoutRelaxed]
 * @property {import('./measure.js').CaseResult[]} cases
 * @property {import('./memory.js').MemoryResult | undefined} memory
 * @property {import('./workers.js').WorkersResult[]} workers none, if not asked for
 */

/** @param {Peer} peer @returns {Promise<import('../contestants/contestant.js').Contestant & { unable?: string }>} one that could not start says why in every case */
async function startPeer({ name, start }) {
  try {
    return await start();
  } catch (problem) {
    const unable = (problem instanceof Error ? problem.message : String(problem)).split('\n')[0];
    return { name, unable, ways: () => ({ start: () => Promise.reject(problem) }) };
  }
}

/**
 * @param {{ loadEngine: import('./package.js').LoadEngine, peers: Peer[], choice: Choice, log: (line: string) => void }} setting
 * @returns {Promise<SuiteResult>}
 */
export async function runSuite({ loadEngine, peers, choice, log }) {
  const engine = await loadEngine();
  const chosen = chosenCases(choice);
  const others = [plain];
  for (const peer of peers) others.push(await startPeer(peer));
  log('the limit of this machine');
  const limit = await measureLimit();
  const own = engineContestant(engine);
  const cases = [];
  for (const each of chosen) {
    log(each.name);
    cases.push(await measureCase(each, { engine, own, others, limit, effort: efforts[choice.quick ? 'quick' : 'usual'] }));
  }
  const asked = (/** @type {string} */ name) => choice.names.length === 0 || choice.names.includes(name);
  const memory = asked(MEMORY) ? measureMemory(engine) : undefined;
  if (asked(WORKERS)) log('workers');
  const workers = asked(WORKERS) ? await measureWorkers(loadEngine) : [];
  return {
    contestants: [own, ...others].map(({ name, version, ...rest }) => ({ name, version, unable: /** @type {{ unable?: string }} */ (rest).unable })),
    limits: limit.figures,
    withoutRelaxed: limit.withoutRelaxed,
    cases,
    memory,
    workers,
  };
}
