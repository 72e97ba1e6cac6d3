import { attention } from './attention.js';
import { attentionAsync } from './attention-async.js';
import { attentionBackward, referenceBackward } from './backward.js';
import { equalOutputWeights } from './equal-output-weights.js';
import { gradient, leaveOneOut, replaceValue } from './explain.js';
import { geometry } from './geometry.js';
import { createKvCache } from './kv-cache.js';
import { linearAttention, referenceLinearAttention } from './linear-attention.js';
import { maskAfterSoftmax } from './mask-after-softmax.js';
import { mask } from './mask.js';
import { multiHeadAttention, referenceMultiHeadAttention } from './multi-head.js';
import { alibi, rope, sinusoidal } from './positions.js';
import { referenceAttention, referenceScores } from './reference.js';
import { rowSums } from './row-sums.js';
import { scores } from './scores.js';
import { softmax } from './softmax.js';
import { Background } from './worker/background.js';

/**
 * The engine as its users see it. Its methods need no `this`.
 * @param {import('./core.js').Core} core
 * @param {import('./types.js').Variant} variant
 * @param {number} threads at most
 * @returns {import('./types.js').Engine}
 */
export function createEngine(core, variant, threads) {
  const version = core.live('info').raw._version();
  const background = new Background(core.module, threads);
  // Which outputs a result has follows from the options, as only the public types can say: hence the casts.
  return {
    attention: (q, k, v, options) => /** @type {any} */ (attention(core, q, k, v, options)),
    attentionAsync: (q, k, v, options) => /** @type {any} */ (attentionAsync(core, background, q, k, v, options)),
    attentionBackward: (q, k, v, dOutput, options) => attentionBackward(core, q, k, v, dOutput, options),
    multiHeadAttention: (x, options) => /** @type {any} */ (multiHeadAttention(core, x, options)),
    explain: {
      leaveOneOut: (q, k, v, options) => leaveOneOut(core, q, k, v, options),
      replaceValue: (q, k, v, replacement, options) => replaceValue(core, q, k, v, replacement, options),
      gradient: (q, k, v, target, options) => gradient(core, q, k, v, target, options),
      equalOutputWeights: (weights, v, options) => equalOutputWeights(core, weights, v, options),
    },
    createKvCache: (settings) => createKvCache(core, settings),
    scores: (q, k, options) => scores(core, q, k, options),
    mask: (options) => mask(core, options),
    softmax: (x, options) => softmax(core, x, options),
    rowSums: (x) => rowSums(core, x),
    maskAfterSoftmax: (values, allow) => maskAfterSoftmax(core, values, allow),
    geometry: (query, keys) => geometry(core, query, keys),
    linearAttention: (q, k, v, options) => linearAttention(core, q, k, v, options),
    positions: {
      rope: (x, options) => rope(core, x, options),
      alibi: (settings) => alibi(core, settings),
      sinusoidal: (settings) => sinusoidal(core, settings),
    },
    reference: {
      attention: (q, k, v, options) => /** @type {any} */ (referenceAttention(core, q, k, v, options)),
      attentionBackward: (q, k, v, dOutput, options) => referenceBackward(core, q, k, v, dOutput, options),
      multiHeadAttention: (x, options) => /** @type {any} */ (referenceMultiHeadAttention(core, x, options)),
      scores: (q, k, options) => referenceScores(core, q, k, options),
      linearAttention: (q, k, v, options) => referenceLinearAttention(core, q, k, v, options),
    },
    get info() {
      const memoryBytes = core.live('info').memory.bytes;
      return { version, variant, simd: variant !== 'scalar', relaxed: variant === 'relaxed', threads: background.pool.size, memoryBytes };
    },
    dispose() {
      background.dispose();
      core.dispose();
    },
  };
}
