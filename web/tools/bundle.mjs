// Bundles the sources into dist by Vite: modules with shared chunks, one self-contained module, one classic script.
import { build } from 'vite';
import path from 'node:path';
import { projectRoot } from '../../cpp/toolchain/paths.mjs';
import { entries, wholeEntry } from './entries.mjs';

export const dist = path.join(projectRoot, 'dist');

/** @typedef {import('vite').BuildOptions} BuildOptions */

/** @param {BuildOptions['lib']} lib @param {import('vite').Rolldown.OutputOptions} output */
const bundle = (lib, output) =>
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
      rolldownOptions: { output: { minify: true, ...output } },
    },
  });

/**
 * The compiled core keeps a name of its own; so does code that defines an element, for package.json to list it among what
 * has side effects. Other shared code is named by what it holds.
 * @param {{ name: string, moduleIds: string[] }} chunk
 */
function chunkFileNames({ moduleIds }) {
  if (moduleIds.some((id) => /generated\/(simd|scalar)\.js$/.test(id))) return 'wasm/[name].js';
  const [, element] = moduleIds.map((id) => /elements\/([^/]+)\/define\.js$/.exec(id)).find(Boolean) ?? [];
  return element ? `shared/define-${element}-[hash].js` : 'shared/[name]-[hash].js';
}

export async function bundleAll() {
  await bundle({ entry: entries, formats: ['es'], fileName: (_, name) => `${name}.js` }, { chunkFileNames });
  await bundle({ entry: wholeEntry, formats: ['es'], fileName: () => 'attn-widgets.js' }, { codeSplitting: false });
  await bundle({ entry: wholeEntry, formats: ['iife'], name: 'AttnWidgets', fileName: () => 'attn-widgets.classic.js' }, { codeSplitting: false });
}
