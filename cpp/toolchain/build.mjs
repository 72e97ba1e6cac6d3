// Builds one CMake preset: `node cpp/toolchain/build.mjs <preset> [target…]`, e.g. `wasm-simd attn-wasm`. Sets up the tools first.
import { existsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildRoot, projectRoot } from './paths.mjs';
import { findProgram } from './programs.mjs';
import { SetupError, run } from './run.mjs';
import { reportProblems, setup } from './setup.mjs';

export const presets = ['native', 'asan', 'wasm-simd', 'wasm-scalar'];

/** The fuzz target needs clang, whatever the machine's own compiler is. @param {string} preset */
const compilerOf = (preset) => (preset === 'asan' ? [`-DCMAKE_CXX_COMPILER=${findProgram('clang++')}`] : []);

/** A compiler other than the found one must not be picked up from the environment. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(EM_.*|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS)$/.test(name)));

/** Emscripten is written in Python. Where a manager of its versions is what `python3` starts, that takes longer than a small source does. @type {string | undefined} */
let python = environment.EMSDK_PYTHON;
const findPython = () => (python ??= run(['python3', '-c', 'import sys; print(sys.executable)']));

/** Ninja reconfigures by itself when a CMake file changed; only a new toolchain needs it said. @param {string} preset */
function needsConfigure(preset) {
  const configured = path.join(buildRoot, preset, 'build.ninja');
  return !existsSync(configured) || statSync(configured).mtimeMs < statSync(path.join(buildRoot, 'toolchain.cmake')).mtimeMs;
}

/** @param {string} preset @returns {import('node:child_process').SpawnSyncOptions} */
const optionsFor = (preset) => ({ cwd: projectRoot, env: preset.startsWith('wasm') ? { ...environment, EMSDK_PYTHON: findPython() } : environment, stdio: 'inherit' });

/** @param {string} preset */
export function configurePreset(preset) {
  if (!presets.includes(preset)) throw new SetupError(`Unknown preset "${preset}": expected one of ${presets.join(', ')}.`);
  setup({ forTests: preset === 'asan' });
  if (needsConfigure(preset)) run(['cmake', '--preset', preset, '--fresh', '--log-level=WARNING', ...compilerOf(preset)], optionsFor(preset));
}

/** @param {string} preset @param {string[]} [targets] all, when none is named */
export function buildPreset(preset, targets = []) {
  configurePreset(preset);
  console.log(`build: ${preset}`);
  const jobs = String(os.availableParallelism());
  const wanted = targets.length > 0 ? ['--target', ...targets] : [];
  run(['cmake', '--build', '--preset', preset, '--parallel', jobs, ...wanted, '--', '--quiet'], optionsFor(preset));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await reportProblems(() => buildPreset(process.argv[2], process.argv.slice(3)));
}
