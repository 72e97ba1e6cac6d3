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

/** Emscripten is written in Python. Where a manager of its versions is what `python3` starts, that takes longer than a small source does. */
const withPython = () => ({ EMSDK_PYTHON: run(['python3', '-c', 'import sys; print(sys.executable)']), ...environment });

/** Ninja reconfigures by itself when a CMake file changed; only a new toolchain needs it said. @param {string} preset */
function needsConfigure(preset) {
  const configured = path.join(buildRoot, preset, 'build.ninja');
  return !existsSync(configured) || statSync(configured).mtimeMs < statSync(path.join(buildRoot, 'toolchain.cmake')).mtimeMs;
}

const options = () => /** @type {const} */ ({ cwd: projectRoot, env: withPython(), stdio: 'inherit' });

/** @param {string} preset */
export function configurePreset(preset) {
  if (!presets.includes(preset)) throw new SetupError(`Unknown preset "${preset}": expected one of ${presets.join(', ')}.`);
  setup({ forTests: preset === 'asan' });
  if (needsConfigure(preset)) run(['cmake', '--preset', preset, '--fresh', '--log-level=WARNING', ...compilerOf(preset)], options());
}

/** @param {string} preset @param {string[]} [targets] all, when none is named */
export function buildPreset(preset, targets = []) {
  configurePreset(preset);
  console.log(`build: ${preset}`);
  const jobs = String(os.availableParallelism());
  const wanted = targets.length > 0 ? ['--target', ...targets] : [];
  run(['cmake', '--build', '--preset', preset, '--parallel', jobs, ...wanted, '--', '--quiet'], options());
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await reportProblems(() => buildPreset(process.argv[2], process.argv.slice(3)));
}
