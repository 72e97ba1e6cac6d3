// `npm run lint`: layout and mistakes, in C++ and JavaScript. Types of the tests need the built package: run `npm run build` first.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { configurePreset } from '../../cpp/toolchain/build.mjs';
import { buildRoot, projectRoot } from '../../cpp/toolchain/paths.mjs';
import { findProgram } from '../../cpp/toolchain/programs.mjs';
import { SetupError, run } from '../../cpp/toolchain/run.mjs';
import { reportProblems, setup } from '../../cpp/toolchain/setup.mjs';
import { unlessUpToDate } from './up-to-date.mjs';

const bin = (/** @type {string} */ program) => [process.execPath, path.join(projectRoot, 'node_modules', program)];

/** @param {string[]} patterns @returns {string[]} files that git knows or would add */
export const trackedFiles = (...patterns) =>
  run(['git', 'ls-files', '--cached', '--others', '--exclude-standard', ...patterns], { cwd: projectRoot }).split('\n').filter((file) => file && existsSync(path.join(projectRoot, file)));

export const cppFiles = () => trackedFiles('cpp/**.cpp', 'cpp/**.h', 'tests/cpp/**.cpp', 'tests/cpp/**.h', 'tests/fuzz/**.cpp', 'tests/fuzz/**.h', 'tests/instructions/**.cpp', 'tests/bench/native/**.cpp');

/** @param {string[]} command @returns {boolean} whether it found nothing */
function passes([program, ...args]) {
  return spawnSync(program, args, { cwd: projectRoot, stdio: 'inherit' }).status === 0;
}

/** @param {string} file @param {string[]} options @returns {Promise<string>} what clang-tidy has to say; nothing, if all is well */
function tidy(file, options) {
  const child = spawn(String(findProgram('clang-tidy')), ['--quiet', ...options, file], { cwd: projectRoot });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  return new Promise((resolve) => child.on('close', (code) => resolve(code === 0 ? '' : output || `${file}: clang-tidy failed\n`)));
}

/** Checks every source that `preset` compiles and `wanted` accepts, several at a time. @param {string} preset @param {(file: string) => boolean} wanted @param {string[]} [options] */
async function tidyPreset(preset, wanted, options = []) {
  configurePreset(preset);
  const folder = path.join(buildRoot, preset, 'tidy');
  const commands = /** @type {{ file: string, command: string }[]} */ (JSON.parse(readFileSync(path.join(buildRoot, preset, 'compile_commands.json'), 'utf8')));
  // Precompiled headers are the compiler's own.
  const plain = commands.map(({ command, ...rest }) => ({ ...rest, command: command.replace(/ -Xclang -include(-pch)? -Xclang \S+| -include \S+cmake_pch\S*/g, '') }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'compile_commands.json'), JSON.stringify(plain));
  const queue = commands.map(({ file }) => path.relative(projectRoot, file)).filter(wanted);
  const findings = new Set();
  const work = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) findings.add(await tidy(file, ['-p', folder, ...options]));
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, work));
  findings.delete('');
  for (const finding of findings) console.error(finding);
  return findings.size === 0;
}

async function tidyAll() {
  const { emscripten } = setup();
  let clean = true;
  await unlessUpToDate('clang-tidy', { inputs: ['cpp', 'tests/cpp', '.clang-tidy', 'CMakeLists.txt', 'CMakePresets.json'], outputs: [] }, async () => {
    const native = await tidyPreset('native', (file) => /^(cpp|tests)\//.test(file));
    // What Emscripten's driver adds by itself has to be said to a plain clang.
    const target = ['--target=wasm32-unknown-emscripten', `--sysroot=${path.join(emscripten, 'cache/sysroot')}`].map((flag) => `--extra-arg-before=${flag}`);
    const bindings = await tidyPreset('wasm-simd', (file) => file.startsWith('cpp/bindings/'), target);
    clean = native && bindings;
    if (!clean) throw new SetupError('clang-tidy found the problems above.');
  }).catch((problem) => {
    if (clean) throw problem;
  });
  return clean;
}

/** @type {Record<string, () => boolean | Promise<boolean>>} */
const checks = {
  'clang-format': () => passes([String(findProgram('clang-format')), '--dry-run', '-Werror', ...cppFiles()]),
  eslint: () => passes([...bin('eslint/bin/eslint.js'), '.']),
  types: () => passes([...bin('typescript/bin/tsc'), '-p', '.']),
  'types of tests': () => passes([...bin('typescript/bin/tsc'), '-p', 'tests']),
  'clang-tidy': tidyAll,
};

/** @returns {Promise<string[]>} the checks that found something */
async function lint() {
  setup({ forTests: true });
  const failed = [];
  for (const [name, check] of Object.entries(checks)) {
    console.log(`lint: ${name}`);
    if (!(await check())) failed.push(name);
  }
  return failed;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await reportProblems(async () => {
    const failed = await lint();
    if (failed.length > 0) throw new SetupError(`lint: ${failed.join(', ')} found problems.`);
    console.log('lint: no problems');
  });
}
