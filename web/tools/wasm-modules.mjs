// Turns the compiled core into JavaScript modules for web/core: `node web/tools/wasm-modules.mjs`, after both wasm presets are built.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import v8 from 'node:v8';
import { deflateRawSync } from 'node:zlib';
import { buildRoot } from '../../cpp/toolchain/paths.mjs';
import { supportsRelaxedSimd } from '../core/simd-probe.js';
import { deltaOf } from './delta.mjs';

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

/** What a module takes and gives. @param {Uint8Array<ArrayBuffer>} wasm */
function interfaceOf(wasm) {
  if (!supportsRelaxedSimd()) v8.setFlagsFromString('--experimental-wasm-relaxed-simd'); // Node before 21
  const module = new WebAssembly.Module(wasm);
  return { imports: WebAssembly.Module.imports(module), exports: WebAssembly.Module.exports(module) };
}

/** Writes build/generated: the glue, one for all variants, the bytes of the SIMD build, and what the others change of them. */
export function writeWasmModules() {
  const [[glue, simd], [otherGlue, scalar], [, relaxed]] = [['simd', 'attn'], ['scalar', 'attn'], ['simd', 'attn-relaxed']].map(([preset, name]) => {
    const file = path.join(buildRoot, `wasm-${preset}`, name);
    return /** @type {const} */ ([readFileSync(`${file}.mjs`, 'utf8'), readFileSync(`${file}.wasm`)]);
  });
  if (otherGlue !== glue) throw new Error('The glue of scalar differs from that of simd: one is shipped for both.');
  // Its glue is made in another way, so what counts is compared.
  if (!isDeepStrictEqual(interfaceOf(relaxed), interfaceOf(simd))) throw new Error('The module of relaxed has other imports or exports than that of simd: they share their glue.');
  mkdirSync(generated, { recursive: true });
  writeGenerated('glue.js', withoutInheritedFields(asOneFunction(glue)));
  writeGenerated('glue.d.ts', "declare const create: import('../../web/core/raw.js').CreateModule;\nexport default create;\n");
  writeGenerated('simd.js', `export const { size, packed } = ${pack(simd)};\n`);
  writeGenerated('simd.d.ts', 'export const size: number;\nexport const packed: string;\n');
  for (const [variant, wasm] of Object.entries({ scalar, relaxed })) {
    writeGenerated(`${variant}.js`, `export const size = ${wasm.length};\nexport const delta = ${pack(deltaOf(simd, wasm))};\n`);
    writeGenerated(`${variant}.d.ts`, 'export const size: number;\nexport const delta: { size: number, packed: string };\n');
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeWasmModules();
