// What takes part in a case. Everybody gets the numbers as typed arrays and gives typed arrays back, which is what a page has
// and needs; what a contestant can keep between calls (a compiled model, a mask, a cache) is made before.

/**
 * @typedef {object} Prepared
 * @property {() => Float32Array[] | Promise<Float32Array[]>} run one call, from inputs to outputs
 * @property {string} [way] which of several ways it is
 * @property {() => void} [dispose]
 */

/** @typedef {(problem: import('../suite/problem.js').Problem) => Prepared | Promise<Prepared>} Way */

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {string} [version]
 * @property {(problem: import('../suite/problem.js').Problem) => Record<string, Way>} ways by name; the fastest of them counts
 */

/** Why a contestant does not take part in a case: shown in its place. */
export class Unable extends Error {}

/** Beyond this a matrix of scores is not tried: two of them have to fit what a browser gives a page. */
const largestScores = 2 ** 28;

/** @param {import('../suite/problem.js').Problem} problem */
export function refuseHugeScores({ heads, queries, keys }) {
  const bytes = heads * queries * keys * 4;
  if (bytes > largestScores) throw new Unable(`would need ${bytes / 2 ** 20} MiB for the scores`);
}
