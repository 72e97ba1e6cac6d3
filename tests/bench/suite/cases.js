// The cases, in the order of their rows. Names are what `npm run bench -- full causal` selects by.

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {import('./problem.js').Wanted} wanted
 * @property {Record<string, import('./problem.js').Wanted>} [beside] other problems for the engine alone, timed in the same rounds:
 *   what the case is compared with
 * @property {boolean} [quick] part of `--quick`
 * @property {boolean} [reading] compared with reading keys and values, not with arithmetic
 */

const full = (/** @type {number} */ n, width = 64) => ({ queries: n, width });

/** @type {Case[]} */
export const cases = [
  { name: 'tiny n=8', wanted: full(8, 8), quick: true },
  { name: 'full n=64', wanted: full(64), quick: true },
  { name: 'full n=256', wanted: full(256), quick: true },
  { name: 'full n=1024', wanted: full(1024), quick: true },
  { name: 'full n=4096', wanted: full(4096) },
  { name: 'full 8 heads n=512', wanted: { ...full(512), heads: 8 } },
  { name: 'width d=8', wanted: full(1024, 8) },
  { name: 'width d=32', wanted: full(1024, 32) },
  { name: 'width d=40', wanted: full(1024, 40) },
  { name: 'width d=80', wanted: full(1024, 80) },
  { name: 'width d=128', wanted: full(1024, 128) },
  { name: 'width d=256', wanted: full(1024, 256) },
  { name: 'odd n=1023 d=65', wanted: full(1023, 65), quick: true },
  { name: 'causal n=1024', wanted: { ...full(1024), causal: true }, beside: { full: full(1024) }, quick: true },
  { name: 'causal n=4096', wanted: { ...full(4096), causal: true }, beside: { full: full(4096) } },
  { name: 'window w=256 n=16384', wanted: { ...full(16384), window: 256 }, beside: { full: full(1024) } },
  { name: 'causal window w=256 n=16384', wanted: { ...full(16384), window: 256, causal: true }, beside: { full: full(1024) } },
  { name: 'block-sparse n=4096', wanted: { ...full(4096), blocks: 64 }, beside: { full: full(1024) } },
  { name: 'boolean mask n=1024', wanted: { ...full(1024), allow: 'random' }, beside: { full: full(1024) }, quick: true },
  { name: 'bias n=1024', wanted: { ...full(1024), bias: true }, beside: { full: full(1024) } },
  { name: 'far keys n=1024', wanted: { ...full(1024), farKeys: true }, beside: { full: full(1024) }, quick: true },
  { name: 'decode 8 heads nk=4096', wanted: { kind: 'decode', heads: 8, queries: 1, keys: 4096, width: 64 }, reading: true, quick: true },
  { name: 'decode 8 over 2 nk=4096', wanted: { kind: 'decode', heads: 8, kvHeads: 2, queries: 1, keys: 4096, width: 64 }, reading: true, quick: true },
  { name: 'backward n=1024', wanted: { ...full(1024), kind: 'backward' }, beside: { forward: full(1024) }, quick: true },
  { name: 'linear n=2048', wanted: { ...full(2048), kind: 'linear' } },
  { name: 'multi-head n=256', wanted: { kind: 'multi-head', heads: 8, queries: 256, width: 64, model: 512 } },
];

/** What is not a race and so no case, but can be asked for like one. */
export const MEMORY = 'memory';
export const WORKERS = 'workers';

/** @param {{ names: string[], quick: boolean }} options `names`: words of names; none: all, or with `quick` some */
export function chosenCases({ names, quick }) {
  const wanted = names.filter((name) => name !== MEMORY && name !== WORKERS);
  const unknown = wanted.filter((name) => !cases.some((each) => matches(each, name)));
  if (unknown.length > 0) throw new RangeError(`cases: expected words of ${[...cases.map((each) => each.name), MEMORY, WORKERS].join(', ')}; got "${unknown.join('", "')}".`);
  return cases.filter((each) => (names.length > 0 ? wanted.some((name) => matches(each, name)) : !quick || each.quick));
}

/** @param {Case} each @param {string} words */
const matches = ({ name }, words) => ` ${name} `.includes(` ${words} `);
