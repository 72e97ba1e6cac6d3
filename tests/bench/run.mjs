// `npm run bench`: how fast this is, beside what the machine can do at most and beside other packages, and whether that is
// what it has to be. Sets up and builds first.
import { writeFileSync } from 'node:fs';
import { reportProblems, setup } from '../../cpp/toolchain/setup.mjs';
import { buildPackage } from '../../web/tools/build.mjs';
import { peersIn, ownVariants } from './contestants/peers.js';
import { machine, readyTimes, weights } from './facts.mjs';
import { installPeers, peerVersions } from './install.mjs';
import { parseOptions } from './options.mjs';
import { markdownTable, plainTable } from './report/layout.js';
import { absences, caseTable, limitTable, summaryTable, targetTable, warnings } from './report/tables.js';
import { runSuite } from './suite/suite.js';

/** @typedef {import('./report/targets.js').Outcome} Outcome */

/** There only after the build, which is why no import at the top names it. */
const builtPackage = new URL('../../dist/index.js', import.meta.url).href;

const log = (/** @type {string} */ line) => console.error(`bench: ${line}`);

/** @param {import('./suite/suite.js').Choice} choice @param {string | undefined} notInstalled @returns {Promise<Outcome>} */
async function runInNode(choice, notInstalled) {
  const { loadEngine } = /** @type {{ loadEngine: import('./suite/package.js').LoadEngine }} */ (await import(builtPackage));
  const peers = [...(await ownVariants(loadEngine)), ...peersIn({ versions: peerVersions(), notInstalled })];
  const suite = await runSuite({ loadEngine, peers, choice, log });
  return { place: 'node', machine: machine(), suite, ready: readyTimes(choice.quick ? 5 : 15), weights: weights() };
}

/** @param {import('./suite/suite.js').Choice} choice @param {string | undefined} notInstalled @returns {Promise<Outcome>} */
async function runInBrowser(choice, notInstalled) {
  const { runInChromium } = await import('./chromium.mjs');
  const { suite, widget, browser } = await runInChromium({ choice, versions: peerVersions(), notInstalled, log });
  return { place: 'chromium', machine: machine(browser), suite, widget, weights: weights() };
}

/** @param {Outcome} outcome */
function show(outcome) {
  const { suite } = outcome;
  const tables = [limitTable(outcome), ...suite.cases.map(caseTable), summaryTable(outcome), targetTable(outcome)].map(plainTable);
  console.log([outcome.machine, ...tables, [...warnings(outcome), ...absences(outcome)].join('\n')].join('\n\n'));
}

/** What a README says: each number with the machine it is from. @param {Outcome} outcome */
function showMarkdown(outcome) {
  const text = [
    '## Speed',
    `Measured by \`npm run bench\` on ${outcome.machine}; every result was first compared with float64.`,
    ...[limitTable(outcome), summaryTable(outcome), targetTable(outcome)].map(markdownTable),
    [...warnings(outcome), ...absences(outcome)].map((line) => `- ${line}`).join('\n'),
  ];
  console.log(text.filter(Boolean).join('\n\n'));
}

await reportProblems(async () => {
  const options = parseOptions(process.argv.slice(2));
  setup({ forTests: options.browser });
  await buildPackage();
  const notInstalled = installPeers();
  const choice = { names: options.names, quick: options.quick };
  const outcome = await (options.browser ? runInBrowser(choice, notInstalled) : runInNode(choice, notInstalled));
  (options.markdown ? showMarkdown : show)(outcome);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(outcome, null, 1)}\n`);
});
