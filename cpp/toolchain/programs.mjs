// Programs the project runs, how to recognise each, and the Debian package that brings it.
import { existsSync } from 'node:fs';
import os from 'node:os';
import { installedEmscripten } from './emscripten.mjs';
import { which } from './run.mjs';
import { llvmVersion } from './versions.mjs';

/** @typedef {{ candidates: string[], package: string, tests?: boolean, llvm?: boolean }} Program */

const llvm = (/** @type {string} */ name) => [`/usr/lib/llvm-${llvmVersion}/bin/${name}`];

/** No program, but a library that clang links: where Debian puts it. Elsewhere it comes with clang. */
const fuzzer =
  process.platform === 'linux' ? [`/usr/lib/llvm-${llvmVersion}/lib/clang/${llvmVersion}/lib/linux/libclang_rt.fuzzer-${os.machine()}.a`] : ['clang++'];

/** @type {Record<string, Program>} */
const programs = {
  cmake: { candidates: ['cmake'], package: 'cmake' },
  ninja: { candidates: ['ninja'], package: 'ninja-build' },
  'g++': { candidates: ['g++', 'clang++'], package: 'g++' },
  python3: { candidates: ['python3'], package: 'python3' },
  clang: { candidates: llvm('clang'), package: `clang-${llvmVersion}`, llvm: true },
  'wasm-ld': { candidates: llvm('wasm-ld'), package: `lld-${llvmVersion}`, llvm: true },
  'llvm-ar': { candidates: llvm('llvm-ar'), package: `llvm-${llvmVersion}`, llvm: true },
  'clang++': { candidates: [...llvm('clang++'), 'clang++'], package: `clang-${llvmVersion}`, tests: true },
  'clang\'s libFuzzer': { candidates: fuzzer, package: `libclang-rt-${llvmVersion}-dev`, tests: true },
  'clang-format': { candidates: [`clang-format-${llvmVersion}`, 'clang-format'], package: `clang-format-${llvmVersion}`, tests: true },
  'clang-tidy': { candidates: [`clang-tidy-${llvmVersion}`, 'clang-tidy'], package: `clang-tidy-${llvmVersion}`, tests: true },
  ...(process.platform === 'linux' && { valgrind: { candidates: ['valgrind'], package: 'valgrind', tests: true } }),
  chromium: {
    candidates: ['chromium', 'chromium-browser', 'google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    package: 'chromium',
    tests: true,
  },
};

/** @param {string} name @returns {string | undefined} its full path */
export function findProgram(name) {
  for (const candidate of programs[name].candidates) {
    const found = candidate.startsWith('/') ? existsSync(candidate) && candidate : which(candidate);
    if (found) return found;
  }
  return undefined;
}

/** LLVM is a package of its own only where Emscripten does not bring it. */
let emscriptenBringsLlvm = () => {
  const answer = installedEmscripten() !== undefined;
  emscriptenBringsLlvm = () => answer;
  return answer;
};

/** @param {boolean} forTests */
export function missingPrograms(forTests) {
  return Object.keys(programs).filter((name) => {
    const { tests = false, llvm: isLlvm = false } = programs[name];
    if ((tests && !forTests) || findProgram(name)) return false;
    return !isLlvm || !emscriptenBringsLlvm();
  });
}

/** @param {string[]} names */
export const packagesFor = (names) => names.map((name) => programs[name].package);

/** @param {string[]} names */
export const programNames = (names) => names.join(', ');
