// `npm run build`: the core to WebAssembly, the package into dist, the note into build/note. What is up to date is left alone.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildRoot, projectRoot } from '../../cpp/toolchain/paths.mjs';
import { reportProblems } from '../../cpp/toolchain/setup.mjs';
import { buildCore, sources } from './core.mjs';
import { buildNote } from './note.mjs';
import { unlessUpToDate } from './up-to-date.mjs';

const dist = path.join(projectRoot, 'dist');

/** @param {string} file */
const sizeOf = (file) => {
  const bytes = readFileSync(path.join(dist, file));
  return `dist/${file}: ${(bytes.length / 1000).toFixed(1)} kB, ${(gzipSync(bytes, { level: 9 }).length / 1000).toFixed(1)} kB gzipped`;
};

/** The modules as files, for those who want to serve them, and where the build has them. */
const modules = { 'wasm/simd.wasm': 'wasm-simd/attn.wasm', 'wasm/scalar.wasm': 'wasm-scalar/attn.wasm', 'wasm/relaxed.wasm': 'wasm-simd/attn-relaxed.wasm' };

export async function buildPackage() {
  await buildCore();
  const outputs = ['index.js', 'elements.js', 'attn-widgets.js', 'attn-widgets.classic.js', ...Object.keys(modules), 'types/index.d.ts'];
  const worked = await unlessUpToDate('package', { inputs: sources, outputs: outputs.map((file) => `dist/${file}`) }, async () => {
    rmSync(dist, { recursive: true, force: true });
    const { bundleAll } = await import('./bundle.mjs'); // only now: setup may just have installed what it imports
    await bundleAll();
    mkdirSync(path.join(dist, 'wasm'), { recursive: true });
    for (const [file, built] of Object.entries(modules)) copyFileSync(path.join(buildRoot, built), path.join(dist, file));
    copyFileSync(path.join(projectRoot, 'web/elements/reserve.css'), path.join(dist, 'attn-widgets.css'));
    const { writeTypes } = await import('./types.mjs');
    writeTypes(path.join(dist, 'types'));
  });
  if (!worked) console.log('build: dist is up to date');
  for (const file of outputs.filter((name) => /attn-widgets|\.wasm$/.test(name) && existsSync(path.join(dist, name)))) console.log(`build: ${sizeOf(file)}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await reportProblems(async () => {
    await buildPackage();
    await buildNote();
  });
}
