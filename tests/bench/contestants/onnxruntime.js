// onnxruntime-web, its WebAssembly backend with one thread.
import { byGroupedOperator, byMatrixProducts, byMultiHeadOperator, byStandardOperator, linear, multiHead } from '../models/onnx-graphs.js';
import { onnxModel } from '../models/onnx.js';
import { Unable } from './contestant.js';

/** @type {Record<string, (problem: import('../suite/problem.js').Problem) => import('../models/onnx-graphs.js').Wired>} */
const attentionWays = { 'MatMul, Softmax, MatMul': byMatrixProducts, Attention: byStandardOperator, MultiHeadAttention: byMultiHeadOperator, GroupQueryAttention: byGroupedOperator };

/** @type {Record<string, typeof attentionWays>} */
const waysByKind = {
  attention: attentionWays,
  decode: attentionWays,
  linear: { 'Elu, MatMul': linear },
  'multi-head': { MultiHeadAttention: multiHead },
};

/** @param {string} [wasmFolder] where a page finds the package's files; Node finds them by itself @returns {Promise<import('./contestant.js').Contestant>} */
export async function onnxruntime(wasmFolder) {
  const ort = await import('onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'fatal'; // a refused graph is shown in the table
  if (wasmFolder) ort.env.wasm.wasmPaths = wasmFolder;
  return {
    name: 'onnxruntime-web',
    version: ort.env.versions.web,
    ways({ kind }) {
      const ways = waysByKind[kind];
      if (!ways) return { none: () => Promise.reject(new Unable('computes no gradients')) };
      const prepared = Object.entries(ways).map(([name, wire]) => {
        const prepare = async (/** @type {import('../suite/problem.js').Problem} */ problem) => {
          const { graph, feeds: numbers } = wire(problem);
          const session = await ort.InferenceSession.create(onnxModel(graph), { executionProviders: ['wasm'], logSeverityLevel: 4 });
          const feeds = Object.fromEntries(Object.entries(numbers).map(([input, data]) => [input, new ort.Tensor(graph.types?.[input] ?? 'float32', data, graph.inputs[input])]));
          const [output] = Object.keys(graph.outputs);
          return {
            run: async () => [(await session.run(feeds, [output]))[output].data],
            dispose: () => session.release(),
          };
        };
        return [name, prepare];
      });
      return Object.fromEntries(prepared);
    },
  };
}
