/**
 * Where everything in the figure stands, in CSS pixels, for a given width. Three arrangements:
 * `row`: scores, mask and weights side by side on one row axis; `pair`: the mask drawn over the scores, weights beside it;
 * `stack`: the same, weights below. The first that leaves the cells readable is taken.
 */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {'scores' | 'mask' | 'weights' | 'softmax' | 'zeroed' | 'renormalised'} MatrixName */

/**
 * `at` and `sums` have only the matrices that this arrangement shows.
 * @typedef {object} Layout
 * @property {'row' | 'pair' | 'stack'} kind
 * @property {number} width @property {number} height
 * @property {number} size edge of a cell @property {number} header height of the key labels
 * @property {Partial<Record<MatrixName, Point>>} at top left corners; outside `row` the mask stands on the scores and there is no `scores`
 * @property {Partial<Record<MatrixName, number>>} sums left edge of the column of row sums beside a matrix
 * @property {number} sumWidth
 * @property {number} output left edge of the column of outputs @property {number} outputWidth
 * @property {number} left left edge of the row labels @property {number} labels their width
 */

const LARGEST = 60;
const READABLE = 28;
// Below this width two matrices with larger cells read better than three with small ones.
const WIDE = 860;
const COMFORTABLE = 40;
const TITLE = 28;
// A title such as "weights A 1×1" needs this much, however small its matrix.
const TITLE_WIDTH = 112;

/**
 * @param {object} given
 * @param {number} given.width
 * @param {number} given.queries @param {number} given.keys
 * @param {number} given.labels width the row labels want
 * @param {number} given.header height of the key labels
 * @param {boolean} given.compare
 * @param {number} given.below  height of what stands under the first matrix: the arcs of a graph, a colour bar
 * @returns {Layout}
 */
export function layout(given) {
  return row(given) ?? pair(given) ?? stack(given);
}

/** Height of the strip under a matrix: values, then the colour bar; or arcs. */
const STRIP = 72;

/** @typedef {Parameters<typeof layout>[0]} Given */

/** @param {Given} given @returns {Layout | null} */
function row({ width, queries, keys, labels, header, compare }) {
  const columns = { sum: 40, output: 72 };
  const fixed = labels + 12 + 40 + 88 + 16 + columns.sum + 16 + columns.output;
  const size = Math.min(LARGEST, Math.floor((width - fixed) / (3 * keys)));
  const span = Math.max(keys * size, TITLE_WIDTH);
  const spare = width - fixed - 3 * span;
  if (size < (width < WIDE ? COMFORTABLE : READABLE) || spare < 0) return null;
  // Room that the cells cannot use goes into the gaps first and then to both sides.
  const wider = Math.min(24, spare / 4);
  const left = (spare - 2 * wider) / 2;
  const scores = left + labels + 12;
  const mask = scores + span + 40 + wider;
  const weights = mask + span + 88 + wider;
  const sum = weights + span + 16;
  const y = TITLE + header;
  const second = y + queries * size + STRIP + TITLE;
  return {
    kind: 'row', width, size, header, left, labels, sumWidth: columns.sum, outputWidth: columns.output,
    at: {
      scores: { x: scores, y }, mask: { x: mask, y }, weights: { x: weights, y },
      ...(compare && { softmax: { x: scores, y: second }, zeroed: { x: mask, y: second }, renormalised: { x: weights, y: second } }),
    },
    sums: { weights: sum, ...(compare && { zeroed: mask + span + 16 }) },
    output: sum + columns.sum + 16,
    height: compare ? second + queries * size + 8 : second - TITLE,
  };
}

/** @param {Given} given @returns {Layout | null} */
function pair({ width, queries, keys, labels, header, compare, below }) {
  const columns = { sum: 36, output: 52 };
  const fixed = labels + 12 + 88 + 12 + columns.sum + 8 + columns.output;
  const size = Math.min(LARGEST, Math.floor((width - fixed) / (2 * keys)));
  const span = Math.max(keys * size, TITLE_WIDTH);
  const left = (width - fixed - 2 * span) / 2;
  if (size < READABLE || left < 0) return null;
  const mask = left + labels + 12;
  const weights = mask + span + 88;
  const sum = weights + span + 12;
  const y = TITLE + header;
  const second = y + queries * size + Math.max(STRIP, below + 16) + TITLE;
  return {
    kind: 'pair', width, size, header, left, labels, sumWidth: columns.sum, outputWidth: columns.output,
    at: { mask: { x: mask, y }, weights: { x: weights, y }, ...(compare && { zeroed: { x: mask, y: second }, renormalised: { x: weights, y: second } }) },
    sums: { weights: sum, ...(compare && { zeroed: mask + span + 12 }) },
    output: sum + columns.sum + 8,
    height: compare ? second + queries * size + 8 : second - TITLE,
  };
}

/** @param {Given} given @returns {Layout} */
function stack({ width, queries, keys, labels, header, compare, below }) {
  const columns = { sum: compare ? 34 : 26, output: 44 };
  const fixed = labels + 6 + 4 + columns.sum + columns.output;
  const size = Math.min(LARGEST, Math.max(14, Math.floor((width - fixed) / keys)));
  const x = Math.max(0, (width - fixed - Math.max(keys * size, TITLE_WIDTH)) / 2) + labels + 6;
  const first = TITLE + header;
  const second = first + queries * size + below + 48 + TITLE + header;
  const third = second + queries * size + STRIP + TITLE;
  const fourth = third + queries * size + 16 + TITLE;
  const sum = x + Math.max(keys * size, TITLE_WIDTH) + 4;
  return {
    kind: 'stack', width, size, header, left: x - labels - 6, labels, sumWidth: columns.sum, outputWidth: columns.output,
    at: { mask: { x, y: first }, weights: { x, y: second }, ...(compare && { zeroed: { x, y: third }, renormalised: { x, y: fourth } }) },
    sums: { weights: sum, ...(compare && { zeroed: sum }) },
    output: sum + columns.sum,
    height: compare ? fourth + queries * size + 8 : third - TITLE,
  };
}
