// The tables of a run.
import { median, spread } from '../suite/statistics.js';
import { isNoisy, own, OWN, shareOfLimit, timed, timesAsFastAs, work } from './ratios.js';
import { targetRows } from './targets.js';

/** @typedef {import('./layout.js').Table} Table */
/** @typedef {import('../suite/measure.js').CaseResult} CaseResult */

/** Two digits that count, or all before the point. @param {number} value */
export const digits = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toPrecision(2));
/** @param {readonly number[]} values */
const give = (values) => `±${(50 * spread(values)).toFixed(0)} %`;

/** @param {import('./targets.js').Outcome} outcome @returns {Table} */
export const limitTable = ({ suite }) => ({
  heading: ['limit of this machine', 'median', '', 'spread'],
  rows: [
    ...suite.limits.map(({ name, unit, samples }) => [name, digits(median(samples)), unit, give(samples)]),
    ...(suite.withoutRelaxed ? [['relaxed madd', 'none', '', suite.withoutRelaxed]] : []),
  ],
});

/** Everybody in one case. @param {CaseResult} result @returns {Table} */
export function caseTable(result) {
  const { name, contestants, limit, limitUnit, beside } = result;
  const amount = work(result);
  const rows = contestants.map((entry) => {
    if ('unable' in entry) return [entry.name, '', '', '', '', '', '', entry.unable];
    const ratio = entry.name === OWN ? '' : `${digits(Number(timesAsFastAs(result, entry.name)))} ×`;
    return [entry.name, digits(entry.firstMs), digits(median(entry.times)), give(entry.times), digits(amount / median(entry.times) / 1e6), `${(100 * shareOfLimit(result, entry)).toFixed(0)} %`, ratio, `${entry.error.toExponential(1)}  ${entry.way}`];
  });
  const others = Object.entries(beside).map(([role, { times, flops }]) => [`${OWN}, ${role}`, '', digits(median(times)), give(times), digits(flops / median(times) / 1e6), '', '', '']);
  return { heading: [name, 'first ms', 'median ms', 'spread', limitUnit, 'of limit', 'engine is', 'error, way'], rows: [...rows, ...others, ['limit', '', '', give(limit), digits(median(limit)), '', '', '']] };
}

/** All cases, in short. @param {import('./targets.js').Outcome} outcome @returns {Table} */
export function summaryTable({ suite }) {
  const names = suite.contestants.map(({ name }) => name);
  const rows = suite.cases.map((result) => [
    result.name,
    ...names.map((name) => {
      const entry = timed(result, name);
      return entry ? digits(work(result) / median(entry.times) / 1e6) : '–';
    }),
    `${(100 * shareOfLimit(result, own(result))).toFixed(0)} %`,
    digits(own(result).firstMs),
    digits(median(own(result).times)),
  ]);
  return { heading: ['GFLOP/s (decode: GB/s)', ...suite.contestants.map(({ name, version }) => (version ? `${name} ${version}` : name)), 'of limit', 'first call, ms', 'then, ms'], rows };
}

/** @param {import('./targets.js').Outcome} outcome @returns {Table} */
export const targetTable = (outcome) => ({
  heading: ['target', '', 'figure', 'must', 'aim', 'reached'],
  rows: targetRows(outcome).map(({ row, what, figure, must, aim, reached }) => [row, what, figure, must, aim, reached]),
});

/** @param {import('./targets.js').Outcome} outcome @returns {string[]} */
export const warnings = ({ suite }) =>
  suite.cases.some(isNoisy) ? ['~ something else kept the machine busy: the limit itself varied by more than a tenth between rounds, so this figure says little.'] : [];

/** Who could not start, or could not take part in some case, and why. @param {import('./targets.js').Outcome} outcome @returns {string[]} */
export function absences({ suite }) {
  const whys = suite.contestants.flatMap(({ name, unable }) => {
    if (unable) return [`${name}: ${unable}`];
    const reasons = new Map();
    for (const result of suite.cases) {
      const entry = result.contestants.find((each) => each.name === name);
      if (entry && 'unable' in entry) reasons.set(entry.unable, [...(reasons.get(entry.unable) ?? []), result.name]);
    }
    return [...reasons].map(([reason, where]) => `${name} in ${where.join(', ')}: ${reason}`);
  });
  return whys;
}
