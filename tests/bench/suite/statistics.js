// What a list of times comes to. Medians, since others use the machine too and are noticed only now and then.

/** The value below which a share of all lies, between the two nearest if need be. @param {readonly number[]} values @param {number} share */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

/** @param {readonly number[]} values */
export const median = (values) => quantile(values, 0.5);

/** The middle half of all values, as a share of the median. @param {readonly number[]} values */
export const spread = (values) => (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);

/**
 * How many times as long one took as the other: the median over rounds of the ratio within a round, so that what slows
 * a whole round down does not count.
 * @param {readonly number[]} times @param {readonly number[]} others by the same rounds
 */
export const ratio = (times, others) => median(times.map((time, round) => time / others[round]));
