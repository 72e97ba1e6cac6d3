/**
 * A call as it crosses to C++: its numbers in the order in which `cpp/bindings/call.cpp` takes them. One copy of a few
 * hundred bytes; fields that cross one by one take longer than a small call itself.
 * @typedef {{ shape: import('./inputs.js').CallShape, wire: import('./settings.js').Settings['wire'], tensors: import('./settings.js').Settings['tensors'] }} Description
 */

/** @param {Description} call @returns {number[]} */
export const numbersOf = ({ shape: s, wire: w, tensors: t }) => [
  s.batch, s.queryHeads, s.kvHeads, s.queries, s.keys, s.queryDim, s.keyDim, s.valueDim,
  w.scoring.kind, w.scoring.w, w.scoring.b, w.scoring.wq, w.scoring.wk, w.scoring.v, w.scoring.width, w.scoring.scores,
  w.scale, w.softcap, Number(w.causal), w.queryOffset, w.windowLeft, w.windowRight,
  w.keyLengths, w.allowKeys, w.allowKeysStride,
  w.allow.place, w.allow.batch, w.allow.head, w.allow.query, w.allow.key,
  w.bias.place, w.bias.batch, w.bias.head, w.bias.query, w.bias.key,
  w.blocks, w.blockQueries, w.blockKeys,
  w.emptyRows, w.tileQueries, w.tileKeys,
  t.query, t.key, t.value, t.output, t.weights, t.scores, t.logSumExp,
  t.traceVisited, t.traceMax, t.traceSum, t.traceOutput,
];

/**
 * Describes the call that is to be prepared next.
 * @param {import('./raw.js').RawCore} raw @param {Float64Array} memory the instance's @param {number[]} numbers of the call
 */
export const describe = (raw, memory, numbers) => memory.set(numbers, raw._description() / 8);
