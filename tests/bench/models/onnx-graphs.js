// The ways to say a problem in ONNX: by matrix products, or by one of the operators made for it.
import { addedToScores, isMasked } from '../suite/problem.js';
import { refuseHugeScores, Unable } from '../contestants/contestant.js';
import { microsoft } from './onnx.js';

/** @typedef {import('../suite/problem.js').Problem} Problem */
/** @typedef {import('./onnx.js').Graph} Graph */
/** @typedef {{ graph: Graph, feeds: Record<string, Float32Array | Int32Array | Uint8Array> }} Wired a graph whose first output is the result, and what goes in */

/** @typedef {{ inputs: Record<string, number[]>, feeds: Record<string, Float32Array>, constants: NonNullable<Graph['constants']> }} Summand */

/** @type {Summand} */
const nothing = { inputs: {}, feeds: {}, constants: {} };

/**
 * What is added to the scores, if anything: given with every call like the numbers of a caller, or part of the model if a
 * rule is all there is (causal, window, blocks).
 * @param {Problem} problem @param {number[]} axes before the last two
 * @returns {Summand}
 */
function summandOf(problem, axes) {
  const { queries, keys, allow, bias } = problem;
  refuseHugeScores(problem);
  const added = addedToScores(problem);
  const shape = [...axes, queries, keys];
  if (!added) return nothing;
  return allow || bias ? { inputs: { added: shape }, feeds: { added }, constants: {} } : { inputs: {}, feeds: {}, constants: { added: { shape, data: added } } };
}

/** @param {Summand} summand @returns {string[]} */
const namesOf = ({ inputs, constants }) => [...Object.keys(inputs), ...Object.keys(constants)];

/** Query heads of a group stand side by side, as if they were more queries. @param {Problem} problem @returns {Wired} */
export function byMatrixProducts(problem) {
  const { heads, kvHeads, queries, keys, width, valueWidth, q, k, v } = problem;
  const rows = (queries * heads) / kvHeads;
  const summand = summandOf(problem, [1]);
  const masked = namesOf(summand).length > 0;
  return {
    graph: {
      inputs: { q: [kvHeads, rows, width], k: [kvHeads, keys, width], v: [kvHeads, keys, valueWidth], ...summand.inputs },
      outputs: { output: [kvHeads, rows, valueWidth] },
      constants: summand.constants,
      nodes: [
        { op: 'FusedMatMul', domain: microsoft, inputs: ['q', 'k'], outputs: ['s'], attributes: { transB: 1, alpha: { float: 1 / Math.sqrt(width) } } },
        ...(masked ? [{ op: 'Add', inputs: ['s', 'added'], outputs: ['m'] }] : []),
        { op: 'Softmax', inputs: [masked ? 'm' : 's'], outputs: ['p'] },
        { op: 'MatMul', inputs: ['p', 'v'], outputs: ['output'] },
      ],
    },
    feeds: { q, k, v, ...summand.feeds },
  };
}

/** The standard operator, opset 23. @param {Problem} problem @returns {Wired} */
export function byStandardOperator(problem) {
  const { heads, kvHeads, queries, keys, width, valueWidth, q, k, v, causal, allow, bias, window, blockAllow } = problem;
  if (window !== undefined || blockAllow) throw new Unable('no window and no blocks');
  refuseHugeScores(problem);
  const given = bias ?? allow;
  return {
    graph: {
      opset: 23,
      inputs: { q: [1, heads, queries, width], k: [1, kvHeads, keys, width], v: [1, kvHeads, keys, valueWidth], ...(given && { mask: [queries, keys] }) },
      types: bias ? {} : { mask: 'bool' },
      outputs: { output: [1, heads, queries, valueWidth] },
      nodes: [{ op: 'Attention', inputs: ['q', 'k', 'v', ...(given ? ['mask'] : [])], outputs: ['output'], attributes: { is_causal: Number(causal) } }],
    },
    feeds: { q, k, v, ...(given && { mask: given }) },
  };
}

/** It wants the heads of a token side by side, which is what one head, or one query, is anyway. @param {Problem} problem @returns {Wired} */
export function byMultiHeadOperator(problem) {
  const { heads, kvHeads, queries, keys, width, valueWidth, q, k, v, causal } = problem;
  if (heads !== kvHeads) throw new Unable('no groups of heads');
  if (heads > 1 && queries > 1) throw new Unable('another order of axes');
  const plainCausal = causal && problem.window === undefined;
  const summand = plainCausal ? nothing : summandOf(problem, [1, 1]);
  return {
    graph: {
      inputs: {
        q: [1, queries, heads * width],
        k: heads === 1 ? [1, keys, width] : [1, heads, keys, width],
        v: heads === 1 ? [1, keys, valueWidth] : [1, heads, keys, valueWidth],
        ...summand.inputs,
      },
      outputs: { output: [1, queries, heads * valueWidth] },
      constants: summand.constants,
      nodes: [{ op: 'MultiHeadAttention', domain: microsoft, inputs: ['q', 'k', 'v', '', '', ...namesOf(summand)], outputs: ['output'], attributes: { num_heads: heads, unidirectional: Number(plainCausal) } }],
    },
    feeds: { q, k, v, ...summand.feeds },
  };
}

/** The operator of language models: always causal, with the last token apart from those before it. @param {Problem} problem @returns {Wired} */
export function byGroupedOperator(problem) {
  const { kind, heads, kvHeads, queries, keys, width, valueWidth, q, k, v, causal, window, allow, bias, blockAllow } = problem;
  if (!causal && kind !== 'decode') throw new Unable('causal alone');
  if (allow || bias || blockAllow || width !== valueWidth) throw new Unable('no masks');
  if (kind !== 'decode' && heads > 1) throw new Unable('another order of axes');
  const past = kind === 'decode' ? keys - queries : 0;
  /** Rows `from` to `to` of every head. @param {Float32Array} x @param {number} from @param {number} to */
  const rows = (x, from, to) => {
    const part = new Float32Array(kvHeads * (to - from) * width);
    for (let h = 0; h < kvHeads; h++) part.set(x.subarray((h * keys + from) * width, (h * keys + to) * width), h * (to - from) * width);
    return part;
  };
  /** @type {Record<string, number[]>} */
  const pastInputs = past > 0 ? { pastKey: [1, kvHeads, past, width], pastValue: [1, kvHeads, past, width] } : {};
  /** @type {Record<string, Float32Array>} */
  const pastFeeds = past > 0 ? { pastKey: rows(k, 0, past), pastValue: rows(v, 0, past) } : {};
  return {
    graph: {
      inputs: { q: [1, queries, heads * width], k: [1, keys - past, kvHeads * width], v: [1, keys - past, kvHeads * width], ...pastInputs, last: [1], total: [1] },
      types: { last: 'int32', total: 'int32' },
      outputs: { output: [1, queries, heads * width], presentKey: [1, kvHeads, keys, width], presentValue: [1, kvHeads, keys, width] },
      nodes: [
        {
          op: 'GroupQueryAttention',
          domain: microsoft,
          inputs: ['q', 'k', 'v', past > 0 ? 'pastKey' : '', past > 0 ? 'pastValue' : '', 'last', 'total'],
          outputs: ['output', 'presentKey', 'presentValue'],
          attributes: { num_heads: heads, kv_num_heads: kvHeads, ...(window !== undefined && { local_window_size: window }) },
        },
      ],
    },
    feeds: { q, k: rows(k, past, keys), v: rows(v, past, keys), ...pastFeeds, last: new Int32Array([keys - 1]), total: new Int32Array([keys]) },
  };
}

/** elu(x) + 1 as feature map. @param {Problem} problem @returns {Wired} */
export function linear(problem) {
  const { heads, kvHeads, queries, keys, width, valueWidth, q, k, v } = problem;
  if (heads > 1 || kvHeads > 1 || isMasked(problem)) throw new Unable('not written for heads and masks');
  const features = (/** @type {string} */ name) => [
    { op: 'Elu', inputs: [name], outputs: [`${name}Elu`] },
    { op: 'Add', inputs: [`${name}Elu`, 'one'], outputs: [`${name}Features`] },
  ];
  return {
    graph: {
      inputs: { q: [queries, width], k: [keys, width], v: [keys, valueWidth] },
      outputs: { output: [queries, valueWidth] },
      constants: { one: { shape: [1], data: new Float32Array([1]) }, ones: { shape: [keys, 1], data: new Float32Array(keys).fill(1) } },
      nodes: [
        ...features('q'),
        ...features('k'),
        { op: 'FusedMatMul', domain: microsoft, inputs: ['kFeatures', 'v'], outputs: ['state'], attributes: { transA: 1 } },
        { op: 'FusedMatMul', domain: microsoft, inputs: ['kFeatures', 'ones'], outputs: ['sum'], attributes: { transA: 1 } },
        { op: 'MatMul', inputs: ['qFeatures', 'state'], outputs: ['mixed'] },
        { op: 'MatMul', inputs: ['qFeatures', 'sum'], outputs: ['weight'] },
        { op: 'Div', inputs: ['mixed', 'weight'], outputs: ['output'] },
      ],
    },
    feeds: { q, k, v },
  };
}

/** Projections by constant weights around the operator. @param {Problem} problem @returns {Wired} */
export function multiHead({ heads, queries, width, model = 0, layers }) {
  if (!layers) throw new Unable('no layers');
  const inner = heads * width;
  const constant = (/** @type {Float32Array} */ data, /** @type {number[]} */ shape) => ({ data, shape });
  return {
    graph: {
      inputs: { x: [1, queries, model] },
      outputs: { output: [1, queries, model] },
      constants: { wq: constant(layers.wq, [model, inner]), wk: constant(layers.wk, [model, inner]), wv: constant(layers.wv, [model, inner]), wo: constant(layers.wo, [inner, model]) },
      nodes: [
        ...['q', 'k', 'v'].map((name) => ({ op: 'MatMul', inputs: ['x', `w${name}`], outputs: [name] })),
        { op: 'MultiHeadAttention', domain: microsoft, inputs: ['q', 'k', 'v'], outputs: ['mixed'], attributes: { num_heads: heads } },
        { op: 'MatMul', inputs: ['mixed', 'wo'], outputs: ['output'] },
      ],
    },
    feeds: { x: layers.x },
  };
}
