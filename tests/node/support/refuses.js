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

/** A small call gives the right numbers. @param {Engine} engine */
export function assertStillRight(engine) {
  assertClose(engine.attention([[0, 0]], [[1, 0], [0, 1]], [[2, 0], [0, 4]]).output.data, [1, 2]);
}
