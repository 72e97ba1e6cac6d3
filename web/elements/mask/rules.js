/**
 * The masks of attn-mask as options of the engine, and the two pictures that are data rather than options: a graph and a mask set by hand.
 * Tokens are counted from 1 wherever a reader sees them and from 0 in matrices.
 */

/** @typedef {'none' | 'causal' | 'padding' | 'window' | 'block' | 'graph' | 'own'} Preset */
/** @typedef {{queries: number, keys: number}} Size */
/** @typedef {[number, number]} Edge two tokens, counted from 1 */

/** @type {Preset[]} */
export const PRESETS = ['none', 'causal', 'padding', 'window', 'block', 'graph', 'own'];

/**
 * A tree in which token t hangs from token ⌊t/2⌋: every token has few neighbours and the first one is two steps from many.
 * @param {number} tokens
 * @returns {Edge[]}
 */
export function exampleEdges(tokens) {
  return Array.from({ length: Math.max(0, tokens - 1) }, (_, at) => [Math.floor((at + 2) / 2), at + 2]);
}

/**
 * @param {Edge[]} edges @param {Edge} edge
 * @returns {Edge[]} without the edge if it was there, with it if not; direction does not count
 */
export function toggleEdge(edges, [one, other]) {
  const rest = edges.filter(([a, b]) => !((a === one && b === other) || (a === other && b === one)));
  return rest.length < edges.length ? rest : [...edges, [Math.min(one, other), Math.max(one, other)]];
}

/**
 * The position of query `row` among the keys: queries are the tail of the keys, as in the engine's causal mask.
 * @param {number} row @param {Size} size
 */
export const position = (row, { queries, keys }) => row + keys - queries;

/**
 * A token may look at itself and at the tokens it shares an edge with.
 * @param {Edge[]} edges @param {Size} size
 * @returns {boolean[][]}
 */
export function graphAllow(edges, size) {
  const linked = new Set(edges.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
  return matrixOf(size, (i, j) => {
    const token = position(i, size) + 1;
    return token === j + 1 || linked.has(`${token} ${j + 1}`);
  });
}

/**
 * @template T
 * @param {Size} size @param {(row: number, column: number) => T} cell
 * @returns {T[][]}
 */
export const matrixOf = ({ queries, keys }, cell) =>
  Array.from({ length: queries }, (_, i) => Array.from({ length: keys }, (__, j) => cell(i, j)));

/**
 * @typedef {object} MaskState the part of the element's state that says who may look at whom
 * @property {Preset} mask @property {boolean} causal @property {number} window @property {number} block @property {number | null} length
 * @property {Edge[] | null} edges @property {boolean[][] | null} allow
 */

/**
 * @param {MaskState} state @param {Size} size
 * @returns {Record<string, unknown>} restrictions as `engine.mask` and `engine.attention` take them
 */
export function restrictions(state, size) {
  return { ...preset(state, size), ...(state.causal || state.mask === 'causal' ? { causal: true } : {}) };
}

/** @param {MaskState} state @param {Size} size @returns {Record<string, unknown>} */
function preset(state, size) {
  switch (state.mask) {
    case 'padding':
      return { keyLengths: [realKeys(state, size)] };
    case 'window':
      return { window: state.window };
    case 'block':
      return { blocks: { size: [state.block, state.block], allow: blockDiagonal(state.block, size) } };
    case 'graph':
      return { allow: graphAllow(state.edges ?? exampleEdges(size.keys), size) };
    case 'own':
      return state.allow ? { allow: state.allow } : {};
    default:
      return {};
  }
}

/** @param {{length: number | null}} state @param {Size} size @returns {number} how many keys are tokens and not padding */
export const realKeys = ({ length }, { keys }) => Math.min(keys, length ?? Math.max(1, keys - 1));

/**
 * Blocks on the diagonal that ends in the last block of both axes.
 * @param {number} block @param {Size} size
 * @returns {boolean[][]}
 */
function blockDiagonal(block, { queries, keys }) {
  const blocks = { queries: Math.ceil(queries / block), keys: Math.ceil(keys / block) };
  return matrixOf(blocks, (i, j) => j === position(i, blocks));
}

/**
 * Whether query `row` itself is padding: it gets an output all the same, which pooling must leave out.
 * @param {MaskState} state @param {Size} size @param {number} row
 */
export const isPaddedQuery = (state, size, row) => state.mask === 'padding' && position(row, size) >= realKeys(state, size);

/**
 * The state after cell (row, column) of the mask was pressed. An edge of the graph preset stays a graph; every other edit makes the mask the reader's own.
 * @param {MaskState} state @param {Size} size @param {boolean[][]} shown what was allowed before the press
 * @param {number} row @param {number} column
 * @returns {Partial<MaskState>}
 */
export function pressed(state, size, shown, row, column) {
  const token = position(row, size) + 1;
  if (state.mask === 'graph' && !state.causal && token >= 1 && token !== column + 1) {
    return { edges: toggleEdge(state.edges ?? exampleEdges(size.keys), [token, column + 1]) };
  }
  const allow = shown.map((cells, i) => cells.map((cell, j) => (i === row && j === column ? !cell : cell)));
  return { mask: 'own', causal: false, allow };
}
