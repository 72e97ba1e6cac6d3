// What is known without a race: the machine, the weight of the built files, and how soon an engine is ready.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../../cpp/toolchain/paths.mjs';

/** @param {string} [browser] its name and version */
export function machine(browser) {
  const [processor] = os.cpus();
  const runtime = browser ?? `Node ${process.versions.node} (V8 ${process.versions.v8.split('-')[0]})`;
  return `${processor.model.trim()}, ${os.cpus().length} cores, ${os.type()} ${os.arch()}, ${runtime}, one thread`;
}

/** @param {string} file */
const gzipped = (file) => gzipSync(readFileSync(path.join(projectRoot, 'dist', file)), { level: 9 }).length;

export const weights = () => ({ engine: gzipped('wasm/simd.wasm'), everything: gzipped('attn-widgets.js') });

/** Milliseconds from the engine's bytes to the engine, each in a process of its own: V8 remembers modules it has compiled. @param {number} times */
export function readyTimes(times) {
  const script = fileURLToPath(new URL('ready.mjs', import.meta.url));
  return Array.from({ length: times }, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`ready.mjs failed: ${stderr}`);
    return Number(stdout);
  });
}
