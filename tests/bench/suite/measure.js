// One case: everybody's result is checked, then all take turns, round after round, so that whatever else the machine does
// falls on all of them alike.
import { Unable } from '../contestants/contestant.js';
import { checkOf, tolerance } from './check.js';
import { callsPerSample, timeMany, timeOnce, warmUp } from './clock.js';
import { createProblem, flopsOf } from './problem.js';

/**
 * @typedef {object} Effort
 * @property {number} rounds
 * @property {number} limitMs for the rounds of a case; there are at least 5
 * @property {{ atLeastMs: number, atMostMs: number }} warmUp of everybody in each case
 */

/** @type {Record<'usual' | 'quick', Effort>} */
export const efforts = {
  usual: { rounds: 25, limitMs: 8000, warmUp: { atLeastMs: 400, atMostMs: 2000 } },
  quick: { rounds: 7, limitMs: 2500, warmUp: { atLeastMs: 200, atMostMs: 600 } },
};

/**
 * @typedef {{ name: string, unable: string }} Absent
 * @typedef {{ name: string, way: string, error: number, firstMs: number, times: number[] }} Timed  `times`: milliseconds a call, by round
 * @typedef {object} CaseResult
 * @property {string} name
 * @property {number} flops
 * @property {number} bytes of keys and values
 * @property {(Timed | Absent)[]} contestants
 * @property {Record<string, { times: number[], flops: number }>} beside
 * @property {number[]} limit by round: GFLOP/s of mul+add, or GB/s of reading as much as keys and values are
 * @property {'GFLOP/s' | 'GB/s'} limitUnit
 * @property {import('./package.js').Report} [report]
 */

/** Who needs longer for a call is not asked for more. */
const slowestMs = 3000;

/** @typedef {import('../contestants/contestant.js').Prepared & { name: string, way: string, error: number, firstMs: number, ms: number }} Ready */

/**
 * The ways of a contestant that work, with the first call and the shortest of the warm-up.
 * @param {import('../contestants/contestant.js').Contestant} contestant @param {import('./problem.js').Problem} problem
 * @param {import('./check.js').Check} check @param {Effort} effort
 * @returns {Promise<Ready | Absent>} the fastest
 */
async function prepare(contestant, problem, check, effort) {
  const { name } = contestant;
  /** @type {Ready[]} */
  const ready = [];
  const refusals = [];
  for (const [way, make] of Object.entries(contestant.ways(problem))) {
    try {
      const prepared = await make(problem);
      /** @type {Float32Array[]} */
      let outputs = [];
      const firstMs = await timeOnce(async () => {
        outputs = await prepared.run();
      });
      const error = check(outputs);
      if (firstMs > slowestMs) throw new Unable(`too slow to wait for: a call takes ${(firstMs / 1000).toFixed(1)} s`);
      if (error > tolerance) throw new Unable(`a wrong result, by ${error.toExponential(1)}`);
      ready.push({ ...prepared, name, way, error, firstMs, ms: await warmUp(prepared.run, effort.warmUp) });
    } catch (problemOfWay) {
      const { message } = problemOfWay instanceof Error ? problemOfWay : new Error(String(problemOfWay));
      refusals.push(message.split('\n')[0]);
    }
  }
  const [best, ...others] = ready.sort((a, b) => a.ms - b.ms);
  for (const { dispose } of others) dispose?.();
  return best ?? { name, unable: [...new Set(refusals)].join('; ') || 'no way to call it' };
}

/**
 * @param {import('./cases.js').Case} wanted
 * @param {{ engine: import('./package.js').Engine, own: ReturnType<import('../contestants/engine.js').engineContestant>,
 *   others: import('../contestants/contestant.js').Contestant[], limit: import('../limit/limit.js').Limit, effort: Effort }} field
 * @returns {Promise<CaseResult>}
 */
export async function measureCase({ name, wanted, beside = {}, reading }, { engine, own, others, limit, effort }) {
  const problem = createProblem(wanted);
  const check = checkOf(engine, problem);
  const bytes = problem.k.byteLength + problem.v.byteLength;

  const entries = [];
  for (const contestant of [own, ...others]) entries.push(await prepare(contestant, problem, check, effort));
  const companions = [];
  for (const [role, other] of Object.entries(beside)) {
    const comparison = createProblem(other);
    const entry = await prepare(own, comparison, checkOf(engine, comparison), effort);
    if ('unable' in entry) throw new Error(`${name}, beside it ${role}: ${entry.unable}`);
    companions.push({ role, flops: flopsOf(comparison), entry });
  }

  const meter = reading ? await limit.reading(bytes) : limit.mulAdd;
  /** @type {number[]} */
  const limits = [];
  const runners = [...entries.filter((entry) => 'run' in entry), ...companions.map(({ entry }) => entry)].map((entry) => ({ entry, count: callsPerSample(entry.ms), times: /** @type {number[]} */ ([]) }));
  const turns = [
    async () => void limits.push(await meter()),
    ...runners.map(({ entry, count, times }) => async () => void times.push(await timeMany(entry.run, count))),
  ];
  const start = performance.now();
  for (let round = 0; round < effort.rounds && (round < 5 || performance.now() - start < effort.limitMs); round++) {
    for (let i = 0; i < turns.length; i++) await turns[(round + i) % turns.length]();
  }
  for (const { entry } of runners) entry.dispose?.();

  const timesOf = (/** @type {Ready} */ entry) => runners.find((runner) => runner.entry === entry)?.times ?? [];
  return {
    name,
    flops: flopsOf(problem),
    bytes,
    contestants: entries.map((entry) => ('unable' in entry ? entry : { name: entry.name, way: entry.way, error: entry.error, firstMs: entry.firstMs, times: timesOf(entry) })),
    beside: Object.fromEntries(companions.map(({ role, flops, entry }) => [role, { flops, times: timesOf(entry) }])),
    limit: limits,
    limitUnit: reading ? 'GB/s' : 'GFLOP/s',
    report: own.report(problem),
  };
}

