// Bundles the script of the worker into build/generated/worker.js, as a text that web/core/worker/thread.js starts it from.
// The glue, most of it by far, is left out: thread.js has it anyway.
import path from 'node:path';
import { projectRoot } from '../../cpp/toolchain/paths.mjs';
import { unlessUpToDate } from './up-to-date.mjs';
import { pack, writeGenerated } from './wasm-modules.mjs';

const inputs = ['build/generated/glue.js', 'web/core', 'web/version.js', 'web/tools', 'package-lock.json'];

export const writeWorkerModule = () =>
  unlessUpToDate('worker', { inputs, outputs: ['build/generated/worker.js'] }, async () => {
    const { build } = await import('vite'); // only now: setup may just have installed it
    const result = await build({
      configFile: false,
      root: projectRoot,
      publicDir: false,
      logLevel: 'warn',
      build: {
        write: false,
        target: 'es2020',
        lib: { entry: path.join(projectRoot, 'web/core/worker/script.js'), formats: ['iife'], name: 'attnWorker' },
        rolldownOptions: { external: /generated\/glue\.js$/, output: { minify: true, globals: () => 'createModule' } },
      },
    });
    const [{ output: [{ code }] }] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (result);
    writeGenerated('worker.js', `export const { size, packed } = ${pack(Buffer.from(code))};\n`);
    writeGenerated('worker.d.ts', 'export const size: number;\nexport const packed: string;\n');
  });
