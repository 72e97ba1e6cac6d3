// Bundles the sources into dist by Vite: modules with shared chunks, one self-contained module, one classic script.
import { build } from 'vite';
import path from 'node:path';
import { projectRoot } from '../../cpp/toolchain/paths.mjs';
import { entries, wholeEntry } from './entries.mjs';

export const dist = path.join(projectRoot, 'dist');

/** @typedef {import('vite').BuildOptions} BuildOptions */

/** @param {BuildOptions['lib']} lib @param {import('vite').Rolldown.OutputOptions} output @param {RegExp[]} [external] */
const bundle = (lib, output, external = []) =>
  build({
    configFile: false,
    root: projectRoot,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'es2020',
      lib,
      rolldownOptions: { external, output: { minify: true, ...output } },
    },
  });

/**
 * The compiled core keeps a name of its own; so does code that defines an element, for package.json to list it among what
 * has side effects. Other shared code is named by what it holds.
 * @param {{ name: string, moduleIds: string[] }} chunk
 */
function chunkFileNames({ moduleIds }) {
  if (moduleIds.some((id) => /generated\/(simd|scalar|relaxed)\.js$/.test(id))) return 'wasm/[name].js';
  const [, element] = moduleIds.map((id) => /elements\/([^/]+)\/define\.js$/.exec(id)).find(Boolean) ?? [];
  return element ? `shared/define-${element}-[hash].js` : 'shared/[name]-[hash].js';
}

export async function bundleAll() {
  await bundle({ entry: entries, formats: ['es'], fileName: (_, name) => `${name}.js` }, { chunkFileNames });
  // Builds that hardly any reader can use, or that are only used where they are asked for, take a second file: engines
  // without SIMD, as browsers had them before 2023, would be 22 KB more of every download.
  const second = /generated\/(scalar|relaxed)\.js$/;
  const whole = { codeSplitting: false, paths: (/** @type {string} */ id) => id.replace(/^.*generated\/((?:scalar|relaxed)\.js)$/, './wasm/$1') };
  await bundle({ entry: wholeEntry, formats: ['es'], fileName: () => 'attn-widgets.js' }, whole, [second]);
  await bundle({ entry: wholeEntry, formats: ['iife'], name: 'AttnWidgets', fileName: () => 'attn-widgets.classic.js' }, whole, [second]);
}
