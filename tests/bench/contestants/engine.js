// This project's engine, called as its documentation says.
import { Unable } from './contestant.js';

/** @typedef {import('../suite/problem.js').Problem} Problem */

/** A rank of 2 where there is one head: what most callers have. @param {number} heads @param {number} length @param {number} width */
const shape = (heads, length, width) => (heads === 1 ? [length, width] : [heads, length, width]);

/** @param {Problem} problem */
export const tensors = ({ heads, kvHeads, queries, keys, width, valueWidth, q, k, v }) => ({
  q: { data: q, shape: shape(heads, queries, width) },
  k: { data: k, shape: shape(kvHeads, keys, width) },
  v: { data: v, shape: shape(kvHeads, keys, valueWidth) },
});

/** @param {Problem} problem @returns {any} what is not given stays undefined, which is the default */
export const optionsOf = ({ queries, keys, causal, window, allow, bias, blocks, blockAllow }) => ({
  causal,
  window,
  allow: allow && { data: allow, shape: [queries, keys], dtype: 'bool' },
  bias: bias && { data: bias, shape: [queries, keys] },
  blocks: blockAllow && { size: [blocks, blocks], allow: blockAllow },
});

/** @param {Problem} problem */
export function layersOf({ layers, model = 0, heads, width, queries }) {
  if (!layers) throw new RangeError('multi-head: expected layers, got a problem without');
  const inner = heads * width;
  const { x, wq, wk, wv, wo } = layers;
  const inward = [model, inner];
  const weights = { wq: { data: wq, shape: inward }, wk: { data: wk, shape: inward }, wv: { data: wv, shape: inward }, wo: { data: wo, shape: [inner, model] } };
  return { x: { data: x, shape: [queries, model] }, options: { ...weights, heads } };
}

/** @param {Problem} problem */
export const outputGradient = ({ heads, queries, valueWidth, dOutput = new Float32Array() }) => ({ data: dOutput, shape: shape(heads, queries, valueWidth) });

/**
 * @param {import('../suite/package.js').Engine} engine
 * @param {{ name?: string, handsIn?: boolean }} [manner] `handsIn`: every result goes into the memory of the one before
 * @returns {import('./contestant.js').Contestant & { report: (problem: Problem) => import('../suite/package.js').Report | undefined }}
 */
export function engineContestant(engine, { name = 'attn-widgets', handsIn = false } = {}) {
  /** @param {(options: any) => any} call @param {any} [given] */
  const outputOf = (call, given) => {
    const options = { ...given };
    return () => {
      const result = call(options);
      if (handsIn) options.out = result;
      return [result.output.data];
    };
  };
  const withoutOut = () => {
    if (handsIn) throw new Unable('no such option');
  };
  /** @type {Record<Problem['kind'], import('./contestant.js').Way>} */
  const ways = {
    attention(problem) {
      const { q, k, v } = tensors(problem);
      return { run: outputOf((options) => engine.attention(q, k, v, options), optionsOf(problem)) };
    },
    decode(problem) {
      const { q, k, v } = tensors(problem);
      const { kvHeads, width, valueWidth, keys } = problem;
      const cache = engine.createKvCache({ kvHeads, headDim: width, valueDim: valueWidth, capacity: keys });
      cache.append(k, v);
      return { run: outputOf((options) => cache.attend(q, options)), dispose: () => cache.dispose() };
    },
    backward(problem) {
      withoutOut();
      const [{ q, k, v }, dOutput, options] = [tensors(problem), outputGradient(problem), optionsOf(problem)];
      return {
        run() {
          const { dQuery, dKey, dValue } = engine.attentionBackward(q, k, v, dOutput, options);
          return [dQuery.data, dKey.data, dValue.data];
        },
      };
    },
    linear(problem) {
      withoutOut();
      const { q, k, v } = tensors(problem);
      return { run: () => [engine.linearAttention(q, k, v).output.data] };
    },
    'multi-head'(problem) {
      const { x, options } = layersOf(problem);
      return { run: outputOf((all) => engine.multiHeadAttention(x, all), options) };
    },
  };
  return {
    name,
    version: engine.info.version,
    ways: ({ kind }) => ({ [kind]: ways[kind] ?? (() => { throw new Unable('no such call'); }) }),
    /** What one call says about itself. */
    report(problem) {
      const { q, k, v } = tensors(problem);
      if (problem.kind === 'attention') return engine.attention(q, k, v, optionsOf(problem)).report;
      if (problem.kind === 'backward') return engine.attentionBackward(q, k, v, outputGradient(problem), optionsOf(problem)).report;
      return undefined;
    },
  };
}
