// Times of calls that may be shorter than the clock can tell: each is the mean over calls that took long enough together.

/** @typedef {() => unknown} Call gives a promise if it takes its time */

/** Shorter than this no sample may be: clocks of browsers move in steps of up to a millisecond. */
export const sampleMs = 20;

/** @param {Call} call @returns {Promise<number>} milliseconds, of this one call */
export async function timeOnce(call) {
  const start = performance.now();
  const answer = call();
  // Waiting costs time of its own, so what answers at once is not waited for.
  if (answer instanceof Promise) await answer;
  return performance.now() - start;
}

/** @param {Call} call @param {number} count @returns {Promise<number>} milliseconds a call */
export async function timeMany(call, count) {
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const answer = call();
    if (answer instanceof Promise) await answer;
  }
  return (performance.now() - start) / count;
}

/**
 * V8 starts with quick code and puts better code in its place later, after many calls or much time: there are at least 20
 * calls and `atLeastMs`, unless that takes longer than `atMostMs`; then there are at least 3.
 * @param {Call} call @param {{ atLeastMs: number, atMostMs: number }} patience
 * @returns {Promise<number>} the shortest time, in milliseconds
 */
export async function warmUp(call, { atLeastMs, atMostMs }) {
  let shortest = Infinity;
  const start = performance.now();
  const goesOn = (/** @type {number} */ calls) => {
    const passed = performance.now() - start;
    return calls < 3 || (passed < atMostMs && (calls < 20 || passed < atLeastMs));
  };
  for (let i = 0; goesOn(i); i++) shortest = Math.min(shortest, await timeOnce(call));
  return shortest;
}

/** How many calls make a sample long enough. @param {number} ms of one */
export const callsPerSample = (ms) => Math.max(1, Math.ceil(sampleMs / Math.max(ms, 1e-4)));
