import assert from 'node:assert/strict';
import { assertClose } from './close.js';

/** @typedef {import('attn-widgets').Engine} Engine */

/**
 * The call is refused by an error of this class with this sentence, and the engine is right afterwards.
 * @param {Engine} engine @param {() => unknown} call @param {typeof TypeError | typeof RangeError} kind @param {string | RegExp} sentence
 */
export function refuses(engine, call, kind, sentence) {
  assert.throws(call, (/** @type {Error} */ error) => {
    assert.equal(Object.getPrototypeOf(error), kind.prototype, `expected a ${kind.name}, got ${error}`);
    if (typeof sentence === 'string') assert.equal(error.message, sentence);
    else assert.match(error.message, sentence);
    return true;
  });
  assertStillRight(engine);
}

/**
 * Small calls give the right numbers, and nothing that an earlier call asked for.
 * @param {Engine} engine
 */
export function assertStillRight(engine) {
  const q = [[Math.LN2], [0]]; // weights ½, ¼, ¼ and ⅓, ⅓, ⅓
  const k = [[1], [0], [0]];
  const v = [[6], [12], [24]];
  const result = engine.attention(q, k, v);
  assert.deepEqual(Object.keys(result), ['output', 'report']);
  assertClose(result.output.data, [12, 14]);
  assertClose(engine.attention(q, k, v, { keyLengths: [0] }).output.data, [0, 0]);
}
