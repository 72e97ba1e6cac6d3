// `npm test`: everything, from setup to the browser. `npm test -- native node` runs the named steps alone.
// One failure does not stop what can still run; the summary ends with the closing lines of ctest and of node's test runner.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildRoot, projectRoot } from '../cpp/toolchain/paths.mjs';
import { reportProblems, setup } from '../cpp/toolchain/setup.mjs';

/** @typedef {{ passed: boolean, closing?: string }} Outcome */

/** Runs a program, shows what it prints and returns it as well. @param {string[]} command @param {NodeJS.ProcessEnv} [env] @returns {Promise<{ passed: boolean, output: string }>} */
function show([program, ...args], env = process.env) {
  const child = spawn(program, args, { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
    process.stdout.write(data);
  });
  return new Promise((resolve) => {
    child.on('error', (problem) => {
      console.error(problem.message);
      resolve({ passed: false, output });
    });
    child.on('close', (code) => resolve({ passed: code === 0, output }));
  });
}

/** @param {string} file @param {string[]} args @returns {Promise<Outcome>} */
const script = (file, ...args) => show([process.execPath, file, ...args]);

/** The C++ suite in one of its four builds. @param {string} preset @returns {Promise<Outcome>} */
async function suite(preset) {
  if (!(await script('cpp/toolchain/build.mjs', preset)).passed) return { passed: false, closing: 'not built' };
  const { passed, output } = await show(['ctest', '--preset', preset, '--parallel', String(os.availableParallelism())]);
  const log = path.join(buildRoot, preset, 'Testing/Temporary/LastTest.log');
  const cases = existsSync(log) ? [...readFileSync(log, 'utf8').matchAll(/in (\d+) test cases?\)/g)].reduce((sum, [, count]) => sum + Number(count), 0) : 0;
  const closing = /^\d+% tests passed[^]*/m.exec(output)?.[0].trim() ?? 'ctest ran no tests';
  return { passed: passed && cases > 0, closing: `${closing}\n${cases} test cases` };
}

/** The C++ suite on this machine, with the counts of the conformance cases, which ctest keeps to itself. @returns {Promise<Outcome>} */
async function native() {
  const { passed, closing } = await suite('native');
  const program = path.join(buildRoot, 'native/tests/cpp/attn-tests');
  if (!existsSync(program)) return { passed: false, closing };
  const cases = await show([program, '[conformance]']);
  const counts = [...cases.output.matchAll(/^ +(\w+ \w+: \d+)$/gm)].map(([, count]) => count);
  return { passed: passed && cases.passed && counts.length > 0, closing: `${closing}\nconformance: ${counts.join(', ') || 'no counts'}` };
}

/** The fuzz target for a short time. @returns {Promise<Outcome>} */
async function fuzz() {
  const { passed, output } = await show([process.execPath, 'tests/fuzz/run.mjs']);
  const [closing] = /^Done \d+ runs.*$/m.exec(output) ?? [];
  const [reason] = /^.*(?:expected .*, got|ERROR: |runtime error: ).*$/m.exec(output) ?? ['it did not come to its end'];
  return { passed: passed && closing !== undefined, closing: closing ?? reason };
}

/** @param {string} folder @returns {string[]} */
function testFiles(folder) {
  const full = path.join(projectRoot, folder);
  if (!existsSync(full)) return [];
  return readdirSync(full, { recursive: true, encoding: 'utf8' }).filter((file) => /\.test\.m?js$/.test(file)).sort().map((file) => path.join(folder, file));
}

/** One Chromium for all files that use one. @returns {Promise<{ env: NodeJS.ProcessEnv, stop: () => Promise<void> } | undefined>} */
async function startBrowser() {
  try {
    const { chromium } = await import('playwright-core');
    const { ENDPOINT, launchOptions } = await import('./browser/support/chromium.js');
    const server = await chromium.launchServer(launchOptions());
    return { env: { [ENDPOINT]: server.wsEndpoint() }, stop: () => server.close() };
  } catch (problem) {
    console.error(/** @type {Error} */ (problem).message);
    return undefined;
  }
}

/** What node's test runner makes of all tests of some folders. @param {string[]} folders @param {NodeJS.ProcessEnv} [env] @returns {Promise<Outcome>} */
async function nodeTests(folders, env) {
  const empty = folders.filter((folder) => testFiles(folder).length === 0);
  const record = path.join(buildRoot, 'node-tests.tap');
  mkdirSync(buildRoot, { recursive: true });
  rmSync(record, { force: true });
  const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout', '--test-reporter=tap', `--test-reporter-destination=${record}`];
  const { passed } = await show([process.execPath, '--test', `--test-concurrency=${os.availableParallelism()}`, ...reporters, ...folders.flatMap(testFiles)], { ...process.env, ...env });

  const counts = existsSync(record) ? (/^# tests \d+[^]*/m.exec(readFileSync(record, 'utf8'))?.[0].trim() ?? '') : '';
  const ran = /^# tests [1-9]/.test(counts);
  return { passed: passed && ran && empty.length === 0, closing: [...empty.map((folder) => `no tests in ${folder}`), counts || 'node ran no tests'].join('\n') };
}

/** @returns {Promise<Outcome>} */
async function nodeAndBrowser() {
  const browser = await startBrowser();
  const { passed, closing } = await nodeTests(['tests/node', 'tests/conformance', 'tests/embedding', 'tests/browser'], browser?.env);
  await browser?.stop();
  return browser ? { passed, closing } : { passed: false, closing: `no Chromium could be started\n${closing}` };
}

/** @type {Record<string, () => Promise<Outcome>>} */
const steps = {
  build: () => script('web/tools/build.mjs'),
  lint: () => script('web/tools/lint.mjs'),
  native,
  asan: () => suite('asan'),
  fuzz,
  'wasm-simd': () => suite('wasm-simd'),
  'wasm-scalar': () => suite('wasm-scalar'),
  speed: () => nodeTests(['tests/speed']), // ratios of times, while nothing else runs
  node: nodeAndBrowser,
};

await reportProblems(async () => {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !(name in steps));
  if (unknown.length > 0) throw new Error(`Unknown step ${unknown.join(', ')}: expected some of ${Object.keys(steps).join(', ')}.`);
  setup({ forTests: true });

  const summary = [];
  for (const [name, step] of Object.entries(steps).filter(([each]) => named.length === 0 || named.includes(each))) {
    console.log(`\n── ${name} ──`);
    const start = performance.now();
    const { passed, closing } = await step();
    summary.push({ name, passed, closing, seconds: Math.round((performance.now() - start) / 1000) });
  }
  console.log('\n── summary ──');
  for (const { name, passed, closing, seconds } of summary) {
    console.log(`${name}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s${closing ? `\n${closing}\n` : ''}`);
  }
  if (!summary.every(({ passed }) => passed)) process.exitCode = 1;
});
