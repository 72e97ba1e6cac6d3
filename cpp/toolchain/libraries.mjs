// The C++ libraries: xtensor, xtl and Highway as headers, Catch2 as sources.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { SetupError } from './run.mjs';
import { headerLibraries, testFramework } from './versions.mjs';

/** Makes a folder with just these libraries: a compiler to WebAssembly must never see the machine's own system headers. @param {string} from @param {string} to */
export function linkHeaders(from, to) {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const name of Object.keys(headerLibraries)) symlinkSync(path.relative(to, path.join(from, name)), path.join(to, name));
}

/** Looks where package managers put headers. @param {string} to @returns {string} */
export function findHeaders(to) {
  const prefixes = [process.env.HOMEBREW_PREFIX, process.env.CONDA_PREFIX, '/opt/homebrew', '/usr/local', '/usr'];
  for (const prefix of prefixes) {
    const include = prefix && path.join(prefix, 'include');
    if (include && Object.values(headerLibraries).every((file) => existsSync(path.join(include, file)))) {
      linkHeaders(include, to);
      return to;
    }
  }
  throw new SetupError('Please install the headers of xtensor 0.25, xtl and Highway (Homebrew: "brew install xtensor highway") under one prefix.');
}

/** @returns {string} */
export function findTestFramework() {
  const folder = process.env.CATCH2_SOURCE_DIR;
  if (folder && existsSync(path.join(folder, 'src/catch2/catch_all.hpp'))) return folder;
  throw new SetupError(`Please unpack the sources of ${testFramework} 3.7 or newer and set CATCH2_SOURCE_DIR to their folder.`);
}
