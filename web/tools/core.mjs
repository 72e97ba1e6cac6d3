// The compiled core, ready for JavaScript.
import { buildPreset } from '../../cpp/toolchain/build.mjs';
import { writeWasmModules } from './wasm-modules.mjs';
import { writeWorkerModule } from './worker-module.mjs';

/** What goes into every bundle. */
export const sources = ['build/generated', 'web/all.js', 'web/index.js', 'web/elements.js', 'web/version.js', 'web/core', 'web/elements', 'web/view', 'web/locales', 'web/tools', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.types.json'];

/** Everything the JavaScript needs of the core: build/generated. */
export async function buildCore() {
  buildPreset('wasm-simd', ['attn-wasm', 'attn-wasm-relaxed']);
  buildPreset('wasm-scalar', ['attn-wasm']);
  writeWasmModules();
  await writeWorkerModule();
}
