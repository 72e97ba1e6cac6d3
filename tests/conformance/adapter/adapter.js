// From an op of the data to calls of the engine. What an op expects is turned into the engine's layout, not the other
// way round: whoever runs a call has only to compare.
import { attention } from './attention.js';
import { flexAttention } from './flex-attention.js';
import { kernelLinearAttention, linearAttention } from './linear-attention.js';
import { maskBuilder } from './mask-builder.js';
import { multiHeadAttention } from './multi-head-attention.js';
import { additiveAttention, scoreFunction } from './scores.js';

/** @typedef {import('./tensors.js').Values} Values */

/**
 * @typedef {object} Call
 * @property {string} method of the engine
 * @property {Record<string, Values>} inputs its tensor arguments, in their order
 * @property {Record<string, any>} options its last argument
 * @property {Record<string, Values>} expected results by name; `itself`: the method returns this one tensor
 */

/** @type {Record<string, (given: import('../cases.js').Case, outputs: Record<string, Values>) => Call[]>} */
const ops = {
  AdditiveAttention: additiveAttention,
  Attention: attention,
  FlexAttention: flexAttention,
  KernelLinearAttention: kernelLinearAttention,
  LinearAttention: linearAttention,
  MaskBuilder: maskBuilder,
  MultiHeadAttention: multiHeadAttention,
  ScoreFunction: scoreFunction,
};

/**
 * @param {import('../cases.js').Case} given
 * @param {Record<string, import('../cases.js').Tensor>} outputs those that the calls should give
 */
export function callsOf(given, outputs) {
  const op = ops[given.op];
  if (!op) throw new Error(`${given.op}: expected an op among ${Object.keys(ops).join(', ')}`);
  return op(given, outputs);
}
