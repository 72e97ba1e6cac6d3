// LiteRT.js, its WebAssembly backend (XNNPACK) with one thread. It loads its code by script tags: in pages only.
import { tfliteModel } from '../models/tflite.js';
import { addedToScores } from '../suite/problem.js';
import { refuseHugeScores, Unable } from './contestant.js';

/** @typedef {import('../suite/problem.js').Problem} Problem */

/** softmax(Q·Kᵀ/√d + M)·V with query heads of a group side by side, as if they were more queries. @param {Problem} problem */
function graphOf(problem) {
  const { heads, kvHeads, queries, keys, width, valueWidth, allow, bias } = problem;
  const rows = (queries * heads) / kvHeads;
  const added = addedToScores(problem);
  const given = allow !== undefined || bias !== undefined;
  const scores = [1, kvHeads, rows, keys];
  /** @type {import('../models/tflite.js').Graph} */
  const graph = {
    tensors: {
      q: { shape: [1, kvHeads, rows, width] },
      k: { shape: [1, kvHeads, keys, width] },
      v: { shape: [1, kvHeads, keys, valueWidth] },
      scale: { shape: [1], data: new Float32Array([1 / Math.sqrt(width)]) },
      ...(added && { added: { shape: [1, 1, queries, keys], data: given ? undefined : added } }),
      scaled: { shape: [1, kvHeads, rows, width] },
      s: { shape: scores },
      m: { shape: scores },
      p: { shape: scores },
      output: { shape: [1, kvHeads, rows, valueWidth] },
    },
    inputs: ['q', 'k', 'v', ...(given ? ['added'] : [])],
    outputs: ['output'],
    nodes: [
      { op: 'MUL', inputs: ['q', 'scale'], outputs: ['scaled'] },
      { op: 'BATCH_MATMUL', inputs: ['scaled', 'k'], outputs: ['s'], options: { turnSecond: true } },
      ...(added ? [{ op: 'ADD', inputs: ['s', 'added'], outputs: ['m'] }] : []),
      { op: 'SOFTMAX', inputs: [added ? 'm' : 's'], outputs: ['p'] },
      { op: 'BATCH_MATMUL', inputs: ['p', 'v'], outputs: ['output'] },
    ],
  };
  if (!added) delete graph.tensors.m;
  return { graph, numbers: /** @type {Record<string, Float32Array>} */ ({ q: problem.q, k: problem.k, v: problem.v, ...(given && { added }) }) };
}

/** @param {string} wasmFolder where a page finds the package's files @param {string} version @returns {Promise<import('./contestant.js').Contestant>} */
export async function litert(wasmFolder, version) {
  const { loadLiteRt, loadAndCompile, Tensor } = await import('@litertjs/core');
  const { liteRtWasm: wasm } = await loadLiteRt(wasmFolder, { threads: false });

  /** Writes into a tensor that is there already, which its class has no method for. @param {any} tensor @param {Float32Array} data */
  function write({ liteRtTensorBuffer: buffer }, data) {
    const address = buffer.lock(wasm.LiteRtTensorBufferLockMode.WRITE);
    wasm.HEAPU8.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), address);
    buffer.unlock();
  }

  /** @param {Problem} problem @param {boolean} anew whether every call makes its tensors, as the documentation shows it, or writes into those of the call before */
  async function prepare(problem, anew) {
    refuseHugeScores(problem);
    const { graph, numbers } = graphOf(problem);
    const model = await loadAndCompile(tfliteModel(graph), { accelerator: 'wasm', cpuOptions: { numThreads: 1 } });
    const tensor = (/** @type {string} */ name) => new Tensor(numbers[name], graph.tensors[name].shape);
    const kept = Object.fromEntries(graph.inputs.map((name) => [name, tensor(name)]));
    const changing = graph.inputs.filter((name) => problem.kind !== 'decode' || name === 'q');
    const renew = (/** @type {string} */ name) => {
      if (anew) {
        kept[name].delete();
        kept[name] = tensor(name);
      } else write(kept[name], numbers[name]);
    };
    return {
      async run() {
        changing.forEach(renew);
        const [output] = await model.run(graph.inputs.map((name) => kept[name]));
        const data = output.toTypedArray();
        output.delete();
        return [data];
      },
      dispose() {
        for (const each of Object.values(kept)) each.delete();
        model.delete();
      },
    };
  }

  /** @type {Record<string, import('./contestant.js').Way>} */
  const attentionWays = { 'BATCH_MATMUL, SOFTMAX, BATCH_MATMUL': (problem) => prepare(problem, true), 'the same, tensors kept': (problem) => prepare(problem, false) };
  const absent = (/** @type {string} */ why) => ({ none: () => Promise.reject(new Unable(why)) });
  return {
    name: 'LiteRT.js',
    version,
    ways({ kind }) {
      if (kind === 'attention' || kind === 'decode') return attentionWays;
      return absent(kind === 'backward' ? 'computes no gradients' : 'not written for it');
    },
  };
}
