// The other packages, each loaded only when it is wanted: one that is missing or fails says so in its row.
import { engineContestant } from './engine.js';
import { Unable } from './contestant.js';
import { OUT, RELAXED } from '../report/ratios.js';

export const packages = { onnxruntime: 'onnxruntime-web', tfjs: '@tensorflow/tfjs-backend-wasm', litert: '@litertjs/core' };

/**
 * @param {{ folder?: string, versions: Record<string, string>, notInstalled?: string }} place `folder`: in a page, the address
 *   of the installed packages; `versions` by package
 * @returns {import('../suite/suite.js').Peer[]}
 */
export function peersIn({ folder, versions, notInstalled }) {
  const installed = (/** @type {() => Promise<import('./contestant.js').Contestant>} */ start) => (notInstalled === undefined ? start : () => Promise.reject(new Unable(notInstalled)));
  const inside = (/** @type {string} */ path) => folder && `${folder}${path}`;
  return [
    { name: packages.onnxruntime, start: installed(async () => (await import('./onnxruntime.js')).onnxruntime(inside('onnxruntime-web/dist/'))) },
    { name: 'tfjs-backend-wasm', start: installed(async () => (await import('./tfjs.js')).tfjs(inside('@tensorflow/tfjs-backend-wasm/dist/'))) },
    {
      name: 'LiteRT.js',
      start: installed(async () => {
        if (!folder) throw new Unable('runs in browsers only');
        return (await import('./litert.js')).litert(`${folder}@litertjs/core/wasm/`, versions[packages.litert]);
      }),
    },
  ];
}

/**
 * The engine in other manners: with results in memory that is there, and with relaxed SIMD where there is such a build.
 * @param {import('../suite/package.js').LoadEngine} loadEngine
 * @returns {Promise<import('../suite/suite.js').Peer[]>}
 */
export async function ownVariants(loadEngine) {
  const engine = await loadEngine();
  const relaxed = await loadEngine({ variant: /** @type {any} */ ('relaxed') }).catch(() => undefined);
  return [
    { name: OUT, start: async () => engineContestant(engine, { name: OUT, handsIn: true }) },
    ...(relaxed ? [{ name: RELAXED, start: async () => engineContestant(relaxed, { name: RELAXED }) }] : []),
  ];
}
