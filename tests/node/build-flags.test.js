// What the compilers are told.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { buildRoot, projectRoot } from '../../cpp/toolchain/paths.mjs';

test('A27: no flag lets a compiler assume that there are no NaN or infinities, or reorder sums', () => {
  const files = ['CMakeLists.txt', 'CMakePresets.json', 'cpp', 'tests/cpp'].flatMap((name) =>
    path.extname(name) ? [name] : readdirSync(path.join(projectRoot, name), { recursive: true, encoding: 'utf8' }).filter((file) => /\.(txt|cmake|mjs|json|h|cpp)$/.test(file)).map((file) => path.join(name, file)));
  assert.ok(files.length > 40, `${files.length} files`);
  const commands = ['native', 'wasm-simd', 'wasm-scalar'].map((preset) => path.join(buildRoot, preset, 'compile_commands.json')).filter(existsSync);
  const careless = /-f(?:fast-math|finite-math-only|associative-math|reciprocal-math|unsafe-math-optimizations|no-honor-nans|no-honor-infinities|no-signed-zeros)|-Ofast|pragma[^\n]*fast.math|float_control\(precise, off|clang fp (?:reassociate|contract\(fast)/i;
  for (const file of [...files.map((name) => path.join(projectRoot, name)), ...commands]) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), careless, file);
  }
});
