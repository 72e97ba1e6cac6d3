// Brings a machine from nothing to ready: `node cpp/toolchain/setup.mjs`. Safe to run again and again; a second run only looks.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { aptInstall, debianHost, privateApt, unpack } from './debian.mjs';
import { installedEmscripten, privateEmscripten, unpackEmscripten } from './emscripten.mjs';
import { findHeaders, findTestFramework, linkHeaders } from './libraries.mjs';
import { installNodeModules } from './node-modules.mjs';
import { buildRoot, toolchainFolder } from './paths.mjs';
import { findProgram, missingPrograms, packagesFor, programNames } from './programs.mjs';
import { SetupError, run, say } from './run.mjs';
import { debianReleaseNumber, emscriptenVersion, headerPackages, testFramework } from './versions.mjs';

/**
 * @typedef {object} Toolchain
 * @property {string} emscripten folder of emcc and its CMake platform file
 * @property {string} headers folder that holds xtensor, xtl and Highway and nothing else
 * @property {string} catch2 sources of the C++ test framework
 */

const record = path.join(buildRoot, 'toolchain.json');

/** @returns {Toolchain | undefined} what the last run found, if it is all still there */
function recorded() {
  if (!existsSync(record)) return undefined;
  const { folder, ...toolchain } = JSON.parse(readFileSync(record, 'utf8'));
  return folder === toolchainFolder && Object.values(toolchain).every((file) => existsSync(file)) ? toolchain : undefined;
}

/** @param {Toolchain} toolchain */
function remember(toolchain) {
  mkdirSync(buildRoot, { recursive: true });
  writeFileSync(record, `${JSON.stringify({ folder: toolchainFolder, ...toolchain }, null, 2)}\n`);
  const lines = Object.entries(toolchain).map(([name, value]) => `set(ATTN_${name.toUpperCase()} "${value}")\n`);
  writeFileSync(path.join(buildRoot, 'toolchain.cmake'), `# Written by cpp/toolchain/setup.mjs.\n${lines.join('')}`);
}

/** Fills the private folder; complete or not there at all, whoever else does the same at the same time. @param {string} codename @param {boolean} withEmscripten */
function fillFolder(codename, withEmscripten) {
  const home = withEmscripten ? toolchainFolder : `${toolchainFolder}-libraries`;
  if (existsSync(home)) return home;
  say(`fetching ${withEmscripten ? `Emscripten ${emscriptenVersion} and ` : ''}the C++ libraries into ${home}`);
  mkdirSync(path.dirname(home), { recursive: true });
  const folder = mkdtempSync(`${home}.`);
  const packages = mkdtempSync(path.join(folder, 'apt-'));
  try {
    const apt = privateApt(packages, codename);
    if (withEmscripten) unpackEmscripten(apt, folder, home);
    for (const file of apt.download(headerPackages)) unpack(file, folder);
    linkHeaders(path.join(folder, 'usr/include'), path.join(folder, 'headers'));
    mkdirSync(path.join(folder, testFramework));
    run(['tar', '-xf', apt.downloadSource(testFramework), '--strip-components=1', '-C', path.join(folder, testFramework)]);
    rmSync(packages, { recursive: true });
    renameSync(folder, home);
  } catch (problem) {
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(home)) throw problem;
  }
  return home;
}

/** @returns {Toolchain} */
function provideToolchain() {
  const host = debianHost();
  let emscripten = installedEmscripten();
  if (!emscripten && host && host.number >= debianReleaseNumber) {
    aptInstall(['emscripten']);
    emscripten = installedEmscripten();
  }
  if (host) {
    const home = fillFolder(host.codename, !emscripten);
    return { emscripten: emscripten ?? privateEmscripten(home), headers: path.join(home, 'headers'), catch2: path.join(home, testFramework) };
  }
  if (!emscripten) throw new SetupError(`Please install Emscripten ${emscriptenVersion} or newer (emsdk, or your package manager) so that emcc is on the PATH.`);
  return { emscripten, headers: findHeaders(path.join(buildRoot, 'headers')), catch2: findTestFramework() };
}

/**
 * @param {{ forTests?: boolean }} [options] what tests need beyond a build: Chromium and the C++ checkers
 * @returns {Toolchain}
 */
export function setup({ forTests = false } = {}) {
  const missing = missingPrograms(forTests);
  if (missing.length > 0) {
    if (!debianHost()) throw new SetupError(`Please install ${programNames(missing)} and run this again.`);
    aptInstall(packagesFor(missing));
    const still = missingPrograms(forTests);
    if (still.length > 0) throw new SetupError(`Please install ${programNames(still)}: apt-get did not provide it.`);
  }
  installNodeModules();
  const known = recorded();
  if (known) return known;
  const toolchain = provideToolchain();
  remember(toolchain);
  say('ready');
  return toolchain;
}

/** Runs `work`; a problem that the reader can solve is shown as its sentence alone. @param {() => unknown} work */
export async function reportProblems(work) {
  try {
    await work();
  } catch (problem) {
    console.error(problem instanceof SetupError ? `\n${problem.message}` : problem);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await reportProblems(() => {
    setup({ forTests: true });
    say(`everything is in place; Chromium is ${findProgram('chromium')}`);
  });
}
