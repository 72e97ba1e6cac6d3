// What two workers make of a large call against one, and what asking for two costs a call that is not worth them.
import { optionsOf, tensors } from '../contestants/engine.js';
import { timeMany, timeOnce, warmUp } from './clock.js';
import { createProblem } from './problem.js';

/** @typedef {{ name: string, one: number[], two: number[], threads: number }} WorkersResult times of the same rounds, in milliseconds */

/** @type {{ name: string, wanted: import('./problem.js').Wanted, threads: number }[]} */
const calls = [
  { name: 'n=2048', wanted: { queries: 2048, width: 64 }, threads: 2 },
  { name: '8 heads n=1024', wanted: { queries: 1024, width: 64, heads: 8 }, threads: 2 },
  { name: 'n=256', wanted: { queries: 256, width: 64 }, threads: 1 },
];

const rounds = 15;
const patience = { atLeastMs: 300, atMostMs: 2000 };

/** @param {import('./package.js').LoadEngine} loadEngine @returns {Promise<WorkersResult[]>} */
export async function measureWorkers(loadEngine) {
  const engines = await Promise.all([1, 2].map((threads) => loadEngine({ threads })));
  const results = [];
  for (const { name, wanted, threads } of calls) {
    const problem = createProblem(wanted);
    const { q, k, v } = tensors(problem);
    const [one, two] = engines.map((engine) => () => engine.attentionAsync(q, k, v, optionsOf(problem)));
    const shortest = [await warmUp(one, patience), await warmUp(two, patience)];
    const { output, report } = await two();
    if (report.threads !== threads) throw new Error(`workers: expected ${threads} for ${name}, got ${report.threads}.`);
    const wantedOutput = (await one()).output.data;
    if (output.data.some((value, i) => !Object.is(value, wantedOutput[i]))) throw new Error(`workers: expected two to give the bits of one for ${name}.`);
    /** @type {WorkersResult} */
    const result = { name, one: [], two: [], threads };
    const count = Math.ceil(20 / Math.min(...shortest));
    const time = (/** @type {() => Promise<unknown>} */ call) => (count === 1 ? timeOnce(call) : timeMany(call, count));
    for (let round = 0; round < rounds; round++) {
      // By turns, so that neither always follows the other.
      if (round % 2 === 0) result.one.push(await time(one));
      result.two.push(await time(two));
      if (round % 2 === 1) result.one.push(await time(one));
    }
    results.push(result);
  }
  engines[1].dispose();
  return results;
}
