// What the targets are about: one contestant's times against another's, or against the limit.
import { median, ratio, spread } from '../suite/statistics.js';

/** @typedef {import('../suite/measure.js').CaseResult} CaseResult */
/** @typedef {import('../suite/measure.js').Timed} Timed */

/** @param {CaseResult} result @param {string} name @returns {Timed | undefined} nobody, if it could not take part */
export function timed({ contestants }, name) {
  const entry = contestants.find((each) => each.name === name);
  return entry && 'times' in entry ? entry : undefined;
}

/** Whether somebody else kept the machine busy: the limit cannot change, and yet the middle half of its figures is wide. @param {CaseResult} result */
export const isNoisy = ({ limit }) => spread(limit) > 0.1;

export const OWN = 'attn-widgets';
export const OUT = `${OWN}, out`;
export const RELAXED = `${OWN}, relaxed`;

/** @param {CaseResult} result */
export function own(result) {
  const entry = timed(result, OWN);
  if (!entry) {
    const absent = result.contestants.find(({ name }) => name === OWN);
    throw new Error(`${result.name}: ${absent && 'unable' in absent ? absent.unable : 'the engine did not take part'}`);
  }
  return entry;
}

/** What a call does of what the limit is about: calculations, or bytes of keys and values read. @param {CaseResult} result */
export const work = ({ limitUnit, flops, bytes }) => (limitUnit === 'GB/s' ? bytes : flops);

/** The part of the limit that a contestant reaches. @param {CaseResult} result @param {Timed} entry */
export const shareOfLimit = (result, entry) => median(entry.times.map((ms, round) => work(result) / ms / 1e6 / result.limit[round]));

/** How many times as fast the engine is. @param {CaseResult} result @param {string} name @returns {number | undefined} */
export function timesAsFastAs(result, name) {
  const other = timed(result, name);
  return other && ratio(other.times, own(result).times);
}

/** The engine's time against that of the other problem in the same rounds. @param {CaseResult} result @param {string} role */
export const timeAgainst = (result, role) => ratio(own(result).times, result.beside[role].times);

/** The same, for each calculation that has to be made. @param {CaseResult} result @param {string} role */
export const timePerWorkAgainst = (result, role) => (timeAgainst(result, role) * result.beside[role].flops) / result.flops;
