// TensorFlow.js, its WebAssembly backend with one thread.
import { addedToScores, isMasked } from '../suite/problem.js';
import { refuseHugeScores, Unable } from './contestant.js';

/** @typedef {import('../suite/problem.js').Problem} Problem */

/** @param {string} [wasmFolder] where a page finds the package's files; Node finds them by itself @returns {Promise<import('./contestant.js').Contestant>} */
export async function tfjs(wasmFolder) {
  const tf = await import('@tensorflow/tfjs-core');
  const backend = await import('@tensorflow/tfjs-backend-wasm');
  await import('@tensorflow/tfjs-core/dist/register_all_gradients.js').catch(() => undefined); // without them the case says so
  if (wasmFolder) backend.setWasmPaths(wasmFolder);
  backend.setThreadsCount(1);
  if (!(await tf.setBackend('wasm'))) throw new Unable('its backend could not be started');
  await tf.ready();

  /** Products of matrices, with K turned by the product itself or before it: which is faster depends on the size. @param {any} q @param {any} k @param {any} v @param {any} added @param {boolean} turn @param {number} width */
  const attention = (q, k, v, added, turn, width) => {
    const query = tf.mul(q, 1 / Math.sqrt(width));
    const scores = turn ? tf.matMul(query, tf.transpose(k, [0, 2, 1])) : tf.matMul(query, k, false, true);
    return tf.matMul(tf.softmax(added ? tf.add(scores, added) : scores), v);
  };

  /** @param {Problem} problem */
  const shapesOf = ({ heads, kvHeads, queries, keys, width, valueWidth }) => {
    const rows = (queries * heads) / kvHeads; // query heads of a group side by side, as if they were more queries
    return { q: [kvHeads, rows, width], k: [kvHeads, keys, width], v: [kvHeads, keys, valueWidth], output: [kvHeads, rows, valueWidth] };
  };

  /** @param {Problem} problem @param {boolean} turn */
  function forward(problem, turn) {
    refuseHugeScores(problem);
    const { kind, queries, keys, width, q, k, v, allow, bias } = problem;
    const shapes = shapesOf(problem);
    const added = addedToScores(problem);
    const givenEachTime = allow !== undefined || bias !== undefined;
    const kept = added && !givenEachTime ? tf.tensor(added, [1, queries, keys]) : undefined;
    const resident = kind === 'decode' ? [tf.tensor(k, shapes.k), tf.tensor(v, shapes.v)] : [];
    return {
      run: () =>
        tf.tidy(() => {
          const [key, value] = resident.length > 0 ? resident : [tf.tensor(k, shapes.k), tf.tensor(v, shapes.v)];
          const summand = givenEachTime ? tf.tensor(added, [1, queries, keys]) : kept;
          return [attention(tf.tensor(q, shapes.q), key, value, summand, turn, width).dataSync()];
        }),
      dispose: () => tf.dispose([kept, ...resident]),
    };
  }

  /** @param {Problem} problem @param {boolean} turn */
  function backward(problem, turn) {
    refuseHugeScores(problem);
    if (isMasked(problem)) throw new Unable('not written for masks');
    const { width, q, k, v, dOutput } = problem;
    const shapes = shapesOf(problem);
    const gradients = tf.grads((/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c) => attention(a, b, c, undefined, turn, width));
    return {
      run: () =>
        tf.tidy(() => {
          const inputs = [tf.tensor(q, shapes.q), tf.tensor(k, shapes.k), tf.tensor(v, shapes.v)];
          return gradients(inputs, tf.tensor(dOutput, shapes.output)).map((/** @type {any} */ gradient) => gradient.dataSync());
        }),
    };
  }

  /** @param {Problem} problem */
  function linear({ queries, keys, width, valueWidth, q, k, v }) {
    const features = (/** @type {Float32Array} */ x, /** @type {number} */ rows) => tf.add(tf.elu(tf.tensor(x, [rows, width])), 1);
    return {
      run: () =>
        tf.tidy(() => {
          const [query, key] = [features(q, queries), features(k, keys)];
          const mixed = tf.matMul(query, tf.matMul(key, tf.tensor(v, [keys, valueWidth]), true));
          return [tf.div(mixed, tf.matMul(query, tf.sum(key, 0, true), false, true)).dataSync()];
        }),
    };
  }

  /** @param {Problem} problem */
  function multiHead({ heads, queries, width, model, layers }) {
    if (!layers) throw new Unable('no layers');
    const inner = heads * width;
    const [wq, wk, wv] = [layers.wq, layers.wk, layers.wv].map((weights) => tf.tensor(weights, [model, inner]));
    const wo = tf.tensor(layers.wo, [inner, model]);
    return {
      run: () =>
        tf.tidy(() => {
          const x = tf.tensor(layers.x, [queries, model]);
          const [q, k, v] = [wq, wk, wv].map((weights) => tf.transpose(tf.reshape(tf.matMul(x, weights), [queries, heads, width]), [1, 0, 2]));
          const mixed = tf.reshape(tf.transpose(attention(q, k, v, undefined, true, width), [1, 0, 2]), [queries, inner]);
          return [tf.matMul(mixed, wo).dataSync()];
        }),
      dispose: () => tf.dispose([wq, wk, wv, wo]),
    };
  }

  const twoWays = (/** @type {(problem: Problem, turn: boolean) => import('./contestant.js').Prepared} */ make) => ({
    'matMul, softmax, matMul': (/** @type {Problem} */ problem) => make(problem, false),
    'transpose, matMul, softmax, matMul': (/** @type {Problem} */ problem) => make(problem, true),
  });
  /** @type {Record<Problem['kind'], Record<string, import('./contestant.js').Way>>} */
  const ways = { attention: twoWays(forward), decode: twoWays(forward), backward: twoWays(backward), linear: { 'elu, matMul': linear }, 'multi-head': { 'matMul, softmax, matMul': multiHead } };
  return { name: 'tfjs-backend-wasm', version: backend.version_wasm, ways: ({ kind }) => ways[kind] };
}
