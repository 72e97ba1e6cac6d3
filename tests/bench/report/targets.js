// What the project wants to reach, and what a run says of it. `must` is promised, `aim` is hoped for. All are ratios within
// one run where they can be: times alone say more about a machine than about a program.
import { median, ratio } from '../suite/statistics.js';
import { isNoisy, OUT, own, OWN, RELAXED, shareOfLimit, timeAgainst, timed, timePerWorkAgainst, timesAsFastAs } from './ratios.js';

/** @typedef {import('../suite/measure.js').CaseResult} CaseResult */

/**
 * @typedef {object} Outcome a whole run
 * @property {'node' | 'chromium'} place
 * @property {string} machine
 * @property {import('../suite/suite.js').SuiteResult} suite
 * @property {number[]} [ready] milliseconds
 * @property {number[]} [widget] milliseconds
 * @property {{ engine: number, everything: number }} weights in bytes, gzipped
 */

/**
 * @typedef {object} Target
 * @property {string} row
 * @property {string} what
 * @property {number} must
 * @property {number} [aim]
 * @property {boolean} [atMost] the less the better
 * @property {string} [unit]
 * @property {boolean} [counted] not timed, so a busy machine changes nothing
 * @property {(outcome: Outcome) => number | string | undefined} figure a text: why there is none; nothing: the case was not run
 */

/** @param {string} name @param {(result: CaseResult) => number | string | undefined} figure */
const ofCase = (name, figure) => (/** @type {Outcome} */ { suite }) => {
  const result = suite.cases.find((each) => each.name === name);
  return result && figure(result);
};

/** @param {string} name @param {(result: import('../suite/workers.js').WorkersResult) => number} figure */
const ofWorkers = (name, figure) => (/** @type {Outcome} */ { suite }) => {
  const result = suite.workers.find((each) => each.name === name);
  return result && figure(result);
};

/** @param {string} name @param {number} must @param {number} [aim] @returns {Target} */
const share = (name, must, aim) => ({ row: name, what: 'share of the limit', must, aim, figure: ofCase(name, (result) => shareOfLimit(result, own(result))) });

/** The same of calls that hand in memory for their results. @param {string} name @param {number} must @param {number} [aim] @returns {Target} */
const shareWithOut = (name, must, aim) => ({
  ...share(name, must, aim),
  what: 'share of the limit, with out',
  figure: ofCase(name, (result) => {
    const entry = timed(result, OUT);
    return entry && shareOfLimit(result, entry);
  }),
});

/** @param {string} name @param {string} peer @param {number} must @param {number} [aim] @returns {Target} */
const faster = (name, peer, must, aim) => ({
  row: name,
  what: `times as fast as ${peer}`,
  must,
  aim,
  figure: ofCase(name, (result) => {
    const entry = result.contestants.find((each) => each.name === peer);
    return timesAsFastAs(result, peer) ?? (entry && 'unable' in entry ? entry.unable : 'not there');
  }),
});

/** @param {string} name @param {string} role @param {number} must @param {number} [aim] @returns {Target} */
const against = (name, role, must, aim) => ({ row: name, what: `time against ${role}`, must, aim, atMost: true, figure: ofCase(name, (result) => timeAgainst(result, role)) });

/** @param {string} name @returns {Target[]} */
const windowed = (name) => [
  { row: name, what: 'time for each visible pair, against full', must: 1.3, aim: 1.15, atMost: true, figure: ofCase(name, (result) => timePerWorkAgainst(result, 'full')) },
  // 64 queries of a tile see up to 63 keys more than one of them does, and at either end part of a tile of keys.
  { row: name, what: 'pairs visited for each visible one', must: 1.6, atMost: true, counted: true, figure: ofCase(name, ({ report, flops }) => report && report.flops / flops) },
];

const [ORT, LITERT] = ['onnxruntime-web', 'LiteRT.js'];
const megabyte = 1e6;

/** The largest error of the engine in all cases of attention. @param {Outcome} outcome */
function largestError({ suite }) {
  const errors = suite.cases.filter(({ name }) => !/^(backward|linear|multi-head)/.test(name)).map((result) => own(result).error);
  return errors.length > 0 ? Math.max(...errors) : undefined;
}

/** @type {Target[]} */
const all = [
  ...['full n=1024', 'full n=4096'].flatMap((name) => [share(name, 0.75, 0.85), shareWithOut(name, 0.75, 0.85), faster(name, ORT, 1.6, 1.9), faster(name, LITERT, 1.3, 1.5)]),
  share('full n=256', 0.7, 0.8),
  shareWithOut('full n=256', 0.7, 0.8),
  faster('full n=256', ORT, 1.6),
  share('full n=64', 0.5, 0.65),
  shareWithOut('full n=64', 0.5, 0.65),
  faster('full n=64', ORT, 2.3),
  ...['width d=32', 'width d=40', 'width d=80', 'width d=128', 'odd n=1023 d=65'].map((name) => share(name, 0.55, 0.7)),
  ...['causal n=1024', 'causal n=4096'].flatMap((name) => [against(name, 'full', 0.56, 0.53), faster(name, ORT, 2.8), faster(name, LITERT, 2.8)]),
  ...['window w=256 n=16384', 'causal window w=256 n=16384'].flatMap(windowed),
  ...['decode 8 heads nk=4096', 'decode 8 over 2 nk=4096'].map((name) => ({ ...share(name, 0.7, 0.85), what: 'share of the read bandwidth' })),
  against('backward n=1024', 'forward', 3.2, 2.6),
  { row: 'backward n=1024', what: 'working memory against a matrix of weights', must: 1, atMost: true, counted: true, figure: ofCase('backward n=1024', ({ report }) => report && report.workingBytes / (4 * 1024 ** 2)) },
  ...['n=2048', '8 heads n=1024'].map((name) => ({ row: `two workers, ${name}`, what: 'times as fast as one', must: 1.8, aim: 1.9, figure: ofWorkers(name, ({ one, two }) => ratio(one, two)) })),
  { row: 'two workers, n=256', what: 'time against one, for a call that is not split', must: 1.1, atMost: true, figure: ofWorkers('n=256', ({ one, two }) => ratio(two, one)) },
  { row: 'memory n=65536', what: 'working memory', unit: 'MB', must: 64, atMost: true, figure: ({ suite }) => suite.memory && suite.memory.workingBytes / megabyte },
  against('boolean mask n=1024', 'full', 1.25),
  against('far keys n=1024', 'full', 1.1),
  { ...faster('full n=1024', OWN, 1.15), what: 'relaxed variant, times as fast as simd', figure: ofCase('full n=1024', (result) => inverse(timesAsFastAs(result, RELAXED)) ?? 'not built') },
  { row: 'error against float64', what: 'of the largest |v| a row sees', must: 1e-6, atMost: true, figure: largestError },
  { row: 'weight', what: 'engine wasm, gzipped', unit: 'kB', must: 60, aim: 40, atMost: true, figure: ({ weights }) => weights.engine / 1000 },
  { row: 'weight', what: 'all in one file, gzipped', unit: 'kB', must: 150, aim: 110, atMost: true, figure: ({ weights }) => weights.everything / 1000 },
  { row: 'start', what: 'bytes to engine', unit: 'ms', must: 30, atMost: true, figure: ({ ready, place }) => (ready ? median(ready) : place === 'chromium' ? 'Node only' : undefined) },
  { row: 'start', what: 'update of a widget', unit: 'ms', must: 2, atMost: true, figure: ({ widget, place }) => (widget ? median(widget) : place === 'node' ? 'runs in browsers only' : undefined) },
];

/** @param {number | undefined} value */
const inverse = (value) => (value === undefined ? undefined : 1 / value);

/** In Chromium V8's limit is higher, and what programs reach of it lower by this much. */
const lessInChromium = 0.1;

/** @param {Target} target @param {Outcome} outcome @returns {Target} */
function here(target, { place }) {
  if (place === 'node' || !target.what.startsWith('share of the limit')) return target;
  return { ...target, must: target.must - lessInChromium, aim: target.aim && target.aim - lessInChromium };
}

/** @param {number} value @param {{ what: string, unit?: string }} target */
function written(value, { unit }) {
  const digits = value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(1) : value.toFixed(Math.abs(value) < 10 ? 2 : 1);
  return unit ? `${digits} ${unit}` : digits;
}

/** @typedef {{ row: string, what: string, figure: string, must: string, aim: string, reached: 'aim' | 'must' | 'MISSED' | '' }} Row */

/** @param {Outcome} outcome @returns {Row[]} but for those whose case was not run */
export function targetRows(outcome) {
  return all.flatMap((each) => {
    const target = here(each, outcome);
    const figure = target.figure(outcome);
    if (figure === undefined) return [];
    const bound = (/** @type {number | undefined} */ value) => (value === undefined ? '' : `${target.atMost ? '≤' : '≥'} ${written(value, target)}`);
    const meets = (/** @type {number | undefined} */ value) => value !== undefined && typeof figure === 'number' && (target.atMost ? figure <= value : figure >= value);
    const reached = typeof figure === 'string' ? '' : meets(target.aim) ? 'aim' : meets(target.must) ? 'must' : 'MISSED';
    const [result] = outcome.suite.cases.filter(({ name }) => name === target.row);
    const shown = typeof figure === 'string' ? figure : `${result && isNoisy(result) && !target.counted ? '~' : ''}${written(figure, target)}`;
    return [{ row: target.row, what: target.what, figure: shown, must: bound(target.must), aim: bound(target.aim), reached }];
  });
}
