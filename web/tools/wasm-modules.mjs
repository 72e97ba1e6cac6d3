// Turns the compiled core into JavaScript modules for web/core: `node web/tools/wasm-modules.mjs`, after both wasm presets are built.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { buildRoot } from '../../cpp/toolchain/paths.mjs';
import { deltaOf } from './delta.mjs';

const variants = ['simd', 'scalar'];

const generated = path.join(buildRoot, 'generated');

/** Writes a file of build/generated. Unchanged ones are left alone, so that a development server sees no change. @param {string} name @param {string} text */
export function writeGenerated(name, text) {
  const file = path.join(generated, name);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** Deflated and in base64, as the text of an object: `web/core/unpack.js` unpacks it. @param {Uint8Array} bytes */
export const pack = (bytes) => `{ size: ${bytes.length}, packed: '${deflateRawSync(bytes, { level: 9 }).toString('base64')}' }`;

/**
 * The glue walks the fields of a struct with `for…in` over an ordinary object, so a page that adds an enumerable property to
 * Object.prototype would break every call. Without a prototype there are only the fields.
 * @param {string} glue
 */
export function withoutInheritedFields(glue) {
  const parts = glue.split('var fields={};');
  if (parts.length !== 2) throw new Error(`The glue was expected to make its table of struct fields once, got ${parts.length - 1} times: see how the compiler writes it now.`);
  return parts.join('var fields={__proto__:null};');
}

/**
 * The glue as one function that refers to nothing around it: its text is the script of a worker as well.
 * @param {string} glue
 */
export function asOneFunction(glue) {
  const parts = /^\s*var Module = \(\(\) => \{\s*var (\w+) = typeof document [^;]*;\s*return \(\s*function\(moduleArg = \{\}\) \{([^]*)\}\s*\);\s*\}\)\(\);\s*export default Module;\s*$/.exec(glue);
  if (!parts) throw new Error('The glue was expected to be a function inside another, got something else: see how the compiler writes it now.');
  const [, scriptName, body] = parts;
  return `export default function createModule(moduleArg = {}) {\nvar ${scriptName};${body}}\n`;
}

/** Writes build/generated: the glue, one for all variants, the bytes of the SIMD build, and what the scalar build changes of them. */
export function writeWasmModules() {
  const built = variants.map((variant) => {
    const folder = path.join(buildRoot, `wasm-${variant}`);
    return { variant, glue: readFileSync(path.join(folder, 'attn.mjs'), 'utf8'), wasm: readFileSync(path.join(folder, 'attn.wasm')) };
  });
  const [{ glue, wasm: simd }, { wasm: scalar }] = built;
  for (const other of built) {
    if (other.glue !== glue) throw new Error(`The glue of ${other.variant} differs from that of ${built[0].variant}: one is shipped for both.`);
  }
  mkdirSync(generated, { recursive: true });
  writeGenerated('glue.js', withoutInheritedFields(asOneFunction(glue)));
  writeGenerated('glue.d.ts', "declare const create: import('../../web/core/raw.js').CreateModule;\nexport default create;\n");
  writeGenerated('simd.js', `export const { size, packed } = ${pack(simd)};\n`);
  writeGenerated('simd.d.ts', 'export const size: number;\nexport const packed: string;\n');
  writeGenerated('scalar.js', `export const size = ${scalar.length};\nexport const delta = ${pack(deltaOf(simd, scalar))};\n`);
  writeGenerated('scalar.d.ts', 'export const size: number;\nexport const delta: { size: number, packed: string };\n');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeWasmModules();
