// Turns the compiled core into JavaScript modules for web/core: `node web/tools/wasm-modules.mjs`, after both wasm presets are built.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildRoot } from '../../cpp/toolchain/paths.mjs';

const variants = ['simd', 'scalar'];

const generated = path.join(buildRoot, 'generated');

/** Unchanged files are left alone, so that a development server sees no change. @param {string} name @param {string} text */
function write(name, text) {
  const file = path.join(generated, name);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** Writes build/generated: the glue, one for all variants, and each variant's bytes as base64. */
export function writeWasmModules() {
  const built = variants.map((variant) => {
    const folder = path.join(buildRoot, `wasm-${variant}`);
    return { variant, glue: readFileSync(path.join(folder, 'attn.mjs'), 'utf8'), wasm: readFileSync(path.join(folder, 'attn.wasm')) };
  });
  const [{ glue }] = built;
  for (const other of built) {
    if (other.glue !== glue) throw new Error(`The glue of ${other.variant} differs from that of ${built[0].variant}: one is shipped for both.`);
  }
  mkdirSync(generated, { recursive: true });
  write('glue.js', glue);
  write('glue.d.ts', "declare const create: import('../../web/core/raw.js').CreateModule;\nexport default create;\n");
  for (const { variant, wasm } of built) {
    write(`${variant}.js`, `export default '${wasm.toString('base64')}';\n`);
    write(`${variant}.d.ts`, 'declare const base64: string;\nexport default base64;\n');
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeWasmModules();
