// A problem: the numbers to compute with and what is to be computed, in a form that every contestant can read.
import { randomFrom } from './random.js';

/**
 * What a case says of its problem; the rest has defaults. Queries are the tail of the keys.
 * @typedef {object} Wanted
 * @property {'attention' | 'decode' | 'backward' | 'linear' | 'multi-head'} [kind] `decode`: keys and values stay where they are
 *   between calls
 * @property {number} [heads]
 * @property {number} [kvHeads]
 * @property {number} queries
 * @property {number} [keys]
 * @property {number} width of queries and keys
 * @property {number} [valueWidth]
 * @property {boolean} [causal]
 * @property {number} [window] the option of `attention`
 * @property {'random' | 'blocks'} [allow] three quarters of all cells at random, or the blocks as a plain mask
 * @property {number} [blocks] block-sparse: the size of a block, of which a quarter and the diagonal are allowed
 * @property {boolean} [bias]
 * @property {boolean} [farKeys] nine keys in ten are far below the maximum
 * @property {number} [model] multi-head: width of a token
 */

/**
 * @typedef {object} Data
 * @property {Float32Array} q [heads, queries, width]
 * @property {Float32Array} k [kvHeads, keys, width]
 * @property {Float32Array} v [kvHeads, keys, valueWidth]
 * @property {Float32Array} [dOutput] backward
 * @property {Uint8Array} [allow] [queries, keys]
 * @property {boolean[][]} [blockAllow]
 * @property {Float32Array} [bias] [queries, keys]
 * @property {{ x: Float32Array, wq: Float32Array, wk: Float32Array, wv: Float32Array, wo: Float32Array }} [layers]
 */

/** @typedef {Required<Pick<Wanted, 'kind' | 'heads' | 'kvHeads' | 'queries' | 'keys' | 'width' | 'valueWidth' | 'causal'>> & Omit<Wanted, 'allow' | 'bias'> & Data} Problem */

/** @param {Wanted} wanted @returns {Problem} */
export function createProblem(wanted) {
  const { kind = 'attention', heads = 1, kvHeads = heads, queries, keys = queries, width, valueWidth = width, causal = false } = wanted;
  const random = randomFrom(queries * 31 + keys * 7 + width);
  /** @type {Problem} */
  const problem = {
    ...{ ...wanted, allow: undefined, bias: undefined },
    ...{ kind, heads, kvHeads, queries, keys, width, valueWidth, causal },
    q: random.normal(heads * queries * width),
    k: random.normal(kvHeads * keys * width),
    v: random.normal(kvHeads * keys * valueWidth),
  };
  if (kind === 'backward') problem.dOutput = random.normal(heads * queries * valueWidth);
  if (wanted.farKeys) pushAway(problem);
  if (wanted.blocks) problem.blockAllow = someBlocks(problem, wanted.blocks, random);
  if (wanted.allow) problem.allow = Uint8Array.from({ length: queries * keys }, () => Number(random.next() < 0.75));
  if (wanted.bias) problem.bias = random.normal(queries * keys);
  if (wanted.model) {
    const { model } = wanted;
    const layer = (/** @type {number} */ rows, /** @type {number} */ columns) => random.normal(rows * columns).map((x) => x / Math.sqrt(rows));
    const inner = heads * width;
    problem.layers = { x: random.normal(queries * model), wq: layer(model, inner), wk: layer(model, inner), wv: layer(model, inner), wo: layer(inner, model) };
  }
  return problem;
}

/** The first component of every query is 8, of nine keys in ten −16·√d: their scores are 128 below. @param {Problem} problem */
function pushAway({ q, k, width }) {
  for (let i = 0; i < q.length; i += width) q[i] = 8;
  for (let j = 0; j * width < k.length; j++) k[j * width] = j % 10 === 3 ? 0 : -16 * Math.sqrt(width);
}

/** @param {Problem} problem @param {number} size @param {ReturnType<typeof randomFrom>} random */
function someBlocks({ queries, keys }, size, random) {
  const [rows, columns] = [queries, keys].map((length) => Math.ceil(length / size));
  return Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (__, c) => r === c || random.next() < 0.25));
}

/** Whether a problem hides any key from any query. @param {Problem} problem */
export const isMasked = ({ causal, window, allow, blockAllow }) => causal || window !== undefined || allow !== undefined || blockAllow !== undefined;

/**
 * The stretch of keys that the causal mask and the window leave to query i, by the rules as the documentation states them:
 * no contestant is asked.
 * @param {Problem} problem @param {number} i
 */
export function reach({ queries, keys, causal, window }, i) {
  const position = i + keys - queries;
  const first = window === undefined ? 0 : Math.max(0, position - window + 1);
  return { first, end: Math.min(keys, causal ? position + 1 : window === undefined ? keys : position + window) };
}

/** @param {Problem} problem @param {number} i @param {number} j @returns {boolean} whether query i may attend to key j, which is within its reach */
export const allows = ({ keys, allow, blocks, blockAllow }, i, j) =>
  !(allow && !allow[i * keys + j]) && !(blocks && blockAllow && !blockAllow[Math.floor(i / blocks)][Math.floor(j / blocks)]);

/** Pairs of a query and a key it sees, of one head. @param {Problem} problem */
export function visibleCells(problem) {
  if (!isMasked(problem)) return problem.queries * problem.keys;
  let cells = 0;
  for (let i = 0; i < problem.queries; i++) {
    const { first, end } = reach(problem, i);
    for (let j = first; j < end; j++) cells += Number(allows(problem, i, j));
  }
  return cells;
}

/** Multiplications and additions that a problem needs, masked pairs left out; the exponentials do not count. @param {Problem} problem */
export function flopsOf(problem) {
  const { kind, heads, kvHeads, queries, keys, width, valueWidth, model } = problem;
  if (kind === 'linear') return 2 * (heads * queries + kvHeads * keys) * width * valueWidth;
  const products = 2 * heads * visibleCells(problem) * (width + valueWidth);
  if (kind === 'backward') return products * 2.5; // five products of matrices in place of two
  if (model) return products + 2 * model * heads * width * (2 * queries + 2 * keys);
  return products;
}

/** What is to be added to the scores [queries, keys], −Infinity where a key is hidden; nothing, if there is nothing to add. @param {Problem} problem */
export function addedToScores(problem) {
  const { queries, keys, bias } = problem;
  if (!isMasked(problem)) return bias;
  const added = new Float32Array(queries * keys).fill(-Infinity);
  for (let i = 0; i < queries; i++) {
    const { first, end } = reach(problem, i);
    for (let j = first; j < end; j++) if (allows(problem, i, j)) added[i * keys + j] = bias?.[i * keys + j] ?? 0;
  }
  return added;
}
