// Finds or prepares Emscripten, the compiler to WebAssembly.
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { atLeast, run, which } from './run.mjs';
import { unpack } from './debian.mjs';
import { emscriptenPackages, emscriptenVersion, llvmVersion } from './versions.mjs';

const versionIn = (/** @type {string} */ text) => /(\d+\.\d+\.\d+)/.exec(text)?.[1] ?? '0.0.0';

/** An `emcc` on the PATH that is new enough. @returns {string | undefined} the folder that holds its CMake platform file */
export function installedEmscripten() {
  const emcc = which('emcc');
  if (!emcc || !atLeast(versionIn(run([emcc, '--version'])), emscriptenVersion)) return undefined;
  const beside = path.dirname(realpathSync(emcc));
  const candidates = [beside, path.join(beside, '../libexec'), '/usr/share/emscripten'];
  return candidates.find((folder) => existsSync(path.join(folder, 'cmake/Modules/Platform/Emscripten.cmake')));
}

/** Where a private copy keeps it. @param {string} folder */
export const privateEmscripten = (folder) => path.join(folder, 'usr/share/emscripten');

/** Built variants of the system libraries that this project never links: threads, link-time optimisation, OpenGL … (1.4 of 1.6 GB). */
const unusedParts = ['*/wasm32-emscripten/*lto*', '*/wasm32-emscripten/pic*', '*-mt*.a', '*-ww*.a', '*asan*.a', '*/libGL-*.a', './usr/share/emscripten/test', './usr/share/doc', './usr/share/man'];

/**
 * Unpacks Emscripten into `folder`, to be used at `home` once complete.
 * @param {ReturnType<import('./debian.mjs').privateApt>} apt @param {string} folder @param {string} home
 */
export function unpackEmscripten(apt, folder, home) {
  for (const file of apt.download(emscriptenPackages)) unpack(file, folder, unusedParts);
  const root = privateEmscripten(folder);
  // Linking ES modules needs acorn, and acorn alone: --emit-tsd trips over other packages' types.
  mkdirSync(path.join(root, 'node_modules'), { recursive: true });
  symlinkSync('../../nodejs/acorn', path.join(root, 'node_modules/acorn'));

  // Emscripten's own scripts are CommonJS; inside a checkout Node would take them for the modules of its package.json.
  writeFileSync(path.join(root, 'package.json'), '{ "type": "commonjs" }\n');

  // Binaryen's programs need the newer C library that was unpacked with them.
  const loader = ['usr/lib64/ld-linux-x86-64.so.2', 'usr/lib/ld-linux-aarch64.so.1'].find((file) => existsSync(path.join(folder, file)));
  const triple = readdirSync(path.join(folder, 'usr/lib')).find((name) => name.endsWith('-linux-gnu'));
  mkdirSync(path.join(folder, 'binaryen/bin'), { recursive: true });
  for (const program of readdirSync(path.join(folder, 'usr/bin')).filter((name) => name.startsWith('wasm'))) {
    const wrapper = path.join(folder, 'binaryen/bin', program);
    writeFileSync(wrapper, `#!/bin/sh\nexec '${home}/${loader}' --library-path '${home}/usr/lib/${triple}' '${home}/usr/bin/${program}' "$@"\n`);
    chmodSync(wrapper, 0o755);
  }

  // Emscripten reads this file beside its programs, so no environment variable has to be set by anyone.
  writeFileSync(
    path.join(root, '.emscripten'),
    [
      `LLVM_ROOT = '/usr/lib/llvm-${llvmVersion}/bin'`,
      `BINARYEN_ROOT = '${home}/binaryen'`,
      `NODE_JS = '${process.execPath}'`,
      `CACHE = '${privateEmscripten(home)}/cache'`,
      '',
    ].join('\n'),
  );
}

/** Folder of Binaryen's programs that an installed or private Emscripten uses. @param {string} root */
export function binaryenFolder(root) {
  const config = path.join(root, '.emscripten');
  const own = existsSync(config) && /BINARYEN_ROOT = '(.*)'/.exec(readFileSync(config, 'utf8'))?.[1];
  return own ? path.join(own, 'bin') : undefined;
}
