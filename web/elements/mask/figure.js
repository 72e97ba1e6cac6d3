// The whole figure as one svg: matrices on one row axis, what leads from one to the next, sums and outputs beside them.

import { colorBarStyles, scoreBar, weightBar } from '../../view/color-bar.js';
import { scoreLimit } from '../../view/color.js';
import { formatGiven, formatNumber } from '../../view/format.js';
import { css, nothing, svg } from '../../view/lit.js';
import { frame, matrix, matrixStyles } from '../../view/matrix.js';
import { arcs, arcStyles } from './arcs.js';
import { besideWeights, sumsBeside } from './beside.js';
import { maskCells, maskedScoreCells, scoreCells, unmaskedCells, weightCells } from './cells.js';
import { keyLabelHeight, keyLabels, rowLabels, rowLabelWidth } from './labels.js';
import { layout } from './layout.js';
import { litCell } from './parts.js';
import { pressed } from './rules.js';
import { shown } from './words.js';

/** @typedef {import('../element.js').Context<import('./schema.js').MaskState, import('./compute.js').MaskResult>} MaskContext */
/** @typedef {import('./layout.js').Layout} Layout */

/** The matrices that are always there; the others stand under them, in the same columns. */
const FIRST = ['scores', 'mask', 'weights'];

/** Heights under the first matrix. */
const ARCS = 40;
const BAR = 44;

/** @param {MaskContext} context @returns {Layout} */
export function place(context) {
  const { state, width } = context;
  const { queries, keys } = shown(context);
  const labels = rowLabelWidth(context, width);
  const of = (/** @type {number} */ header) => layout({ width, queries, keys, labels, header, compare: state.compare, below: (state.mask === 'graph' ? ARCS : 0) + (state.scores === 'zero' ? 0 : BAR) });
  // The height of slanted labels depends on the cells, the cells only on the width.
  return of(keyLabelHeight(context, of(0).size));
}

/** @param {MaskContext} context */
export function figure(context) {
  const { state, result, text } = context;
  const size = shown(context);
  const at = place(context);
  const cell = at.size;
  const limit = scoreLimit(result.scores.flat());
  const lit = litCell(context);
  // Booleans cannot be added to scores, so in these notations the mask stands alone wherever it stands.
  const onScores = at.kind !== 'row' && state.notation === 'signs';
  const matrices = matricesOf(context, at, onScores);
  const drawn = matrices.filter(([name]) => at.at[name]);
  return svg`<svg class="mask-figure ${at.kind} ${cell < 22 ? 'tiny' : ''}" width=${at.width} height=${at.height} viewBox="0 0 ${at.width} ${at.height}" role="group" aria-labelledby="summary">
    ${rowBands(at, size.keys, lit.row)}
    ${drawn.map(([name, symbol, what]) => {
      const point = /** @type {import('./layout.js').Point} */ (at.at[name]);
      const first = FIRST.includes(name);
      const label = text(titleKey(name, at, onScores));
      return svg`
        ${title(point.x, titleLine(at, name), label, symbol, first ? `${size.queries}×${size.keys}` : '')}
        ${first ? keyLabels(context, at, point, lit.column) : nothing}
        ${matrix({ grid: name, label, size: cell, ...point, tabindex: context.tabindex, ...what })}`;
    })}
    ${rowAxes(at).map((y) => rowLabels(context, at, y, lit.row))}
    ${steps(context, at)}
    ${columnTitles(context, at)}
    ${valuesRow(context, at)}
    ${legends(at, size, onScores || at.kind === 'row' ? limit : 0, at.kind !== 'row' && state.mask === 'graph' ? ARCS : 0)}
    ${state.mask === 'graph' ? arcs(context, at, lit.row) : nothing}
    ${drawn.map(([name]) => {
      const { x, y } = /** @type {import('./layout.js').Point} */ (at.at[name]);
      return frame({ x, y: y + lit.row * cell, width: size.keys * cell, height: cell }, 'query');
    })}
    ${lit.column === null ? nothing : drawn.map(([name]) => {
      const { x, y } = /** @type {import('./layout.js').Point} */ (at.at[name]);
      return frame({ x: x + Number(lit.column) * cell, y, width: cell, height: size.queries * cell }, 'key');
    })}
  </svg>`;
}

/** @typedef {[name: import('./layout.js').MatrixName, symbol: string, what: Partial<import('../../view/matrix.js').Matrix> & { cells: import('../../view/matrix.js').Cell[][] }]} Drawn */

/** Matrices of the results that are on screen, with what they depend on besides. @type {WeakMap<object, { key: string, matrices: Drawn[] }>} */
const made = new WeakMap();

/** @param {MaskContext} context @param {Layout} at @param {boolean} onScores @returns {Drawn[]} */
function matricesOf(context, at, onScores) {
  const key = `${at.kind} ${at.size} ${context.locale}`;
  const known = made.get(context.result);
  if (known?.key === key) return known.matrices;
  const matrices = newMatrices(context, at, onScores);
  made.set(context.result, { key, matrices });
  return matrices;
}

/** @param {MaskContext} context @param {Layout} at @param {boolean} onScores @returns {Drawn[]} */
function newMatrices(context, at, onScores) {
  const { state, result, change } = context;
  const { size } = at;
  const limit = scoreLimit(result.scores.flat());
  const press = (/** @type {number} */ i, /** @type {number} */ j) => change({ ...pressed(state, shown(context), result.allow, i, j), row: i + 1 });
  const second = result.compared;
  return [
    ['scores', 'S', { cells: scoreCells(context, size), limit }],
    ['mask', onScores ? 'S + M' : 'M', { cells: onScores ? maskedScoreCells(context, size) : maskCells(context), limit, press }],
    ['weights', 'A', { cells: weightCells(context, result.weights, size), beside: besideWeights(context, at) }],
    .../** @type {Drawn[]} */ (second ? [
      ['softmax', '', { cells: unmaskedCells(context, second.softmax, size) }],
      ['zeroed', '', { cells: weightCells(context, second.zeroed, size), beside: sumsBeside(context, at, 'zeroed', second.rowSums) }],
      ['renormalised', second.sameAsMasked ? '= A' : '', { cells: weightCells(context, second.renormalised, size) }],
    ] : []),
  ];
}

/** @param {import('./layout.js').MatrixName} name @param {Layout} at @param {boolean} onScores */
function titleKey(name, at, onScores) {
  if (name === 'mask' && onScores) return 'mask.maskedScores';
  return name === 'zeroed' && !at.at.softmax ? 'mask.softmaxThenZero' : `mask.${name}`;
}

/** The tops of the matrices that row labels stand beside. @param {Layout} at */
const rowAxes = (at) => [...new Set(Object.values(at.at).filter(({ x }) => x <= at.left + at.labels + 12).map(({ y }) => y))];

/** Baseline of the titles over a matrix. @param {Layout} at @param {import('./layout.js').MatrixName} name */
const titleLine = (at, name) => {
  const { y } = /** @type {import('./layout.js').Point} */ (at.at[name]);
  return FIRST.includes(name) ? y - at.header - 10 : y - 10;
};

/** @param {number} x @param {number} y @param {string} words @param {string} symbol @param {string} shape */
function title(x, y, words, symbol, shape) {
  return svg`<text class="title" x=${x} y=${y} aria-hidden="true">${words}${symbol ? svg`<tspan class="math" dx="6">${symbol}</tspan>` : nothing}${
    shape ? svg`<tspan class="shape" dx="6">${shape}</tspan>` : nothing}</text>`;
}

/** What leads from one matrix to the next: the sum, then the softmax of every row. @param {MaskContext} context @param {Layout} at */
function steps({ state, result, text }, at) {
  const { scores, mask, weights } = at.at;
  if (!mask || !weights) return nothing;
  const columns = result.allow[0].length * at.size;
  const middle = (result.allow.length * at.size) / 2;
  const between = scores ? (scores.x + columns + mask.x) / 2 : 0;
  const join = state.notation === 'signs'
    ? svg`<text class="step" x=${between} y=${mask.y + middle + 8}>+</text>`
    : text(`mask.join.${state.notation}`).split(' ').map((word, line) => svg`<text class="step-word" x=${between} y=${mask.y + middle - 8 + 14 * line}>${word}</text>`);
  if (at.kind === 'stack') {
    return svg`<g class="arrow" transform="translate(${weights.x + 6} ${weights.y - at.header - 56})" aria-hidden="true">
      <path d="M0 0V18M-4 12L0 18L4 12"></path><text class="step-word start" x="12" y="13">${text('mask.softmaxDown')}</text></g>`;
  }
  const from = mask.x + columns + 8;
  const to = weights.x - 8;
  const y = weights.y + middle;
  return svg`<g aria-hidden="true">${scores ? join : nothing}</g><g class="arrow" aria-hidden="true">
    <text class="step-word" x=${(from + to) / 2} y=${y - 8}>softmax</text>
    <path d="M${from} ${y}H${to}M${to - 6} ${y - 4}L${to} ${y}L${to - 6} ${y + 4}"></path>
    <text class="step-word" x=${(from + to) / 2} y=${y + 18}>${text('mask.rowByRow')}</text>
  </g>`;
}

/** @param {MaskContext} context @param {Layout} at */
function columnTitles({ result, text }, at) {
  const { weights, zeroed } = at.at;
  if (!weights) return nothing;
  const line = titleLine(at, 'weights');
  const sum = (/** @type {number} */ x, /** @type {number} */ y) => svg`<text class="title middle" x=${x + at.sumWidth / 2} y=${y} aria-hidden="true">Σ</text>`;
  return svg`
    ${sum(/** @type {number} */ (at.sums.weights), line)}
    ${zeroed ? sum(/** @type {number} */ (at.sums.zeroed), titleLine(at, 'zeroed')) : nothing}
    <text class="title middle output" x=${at.output + at.outputWidth / 2} y=${line} aria-hidden="true">${at.kind === 'stack' ? 'O' : text('mask.output')}${
      at.kind === 'row' ? svg`<tspan class="math" dx="5">O</tspan>` : nothing}</text>
    ${at.kind === 'row' ? svg`<text class="shape middle" x=${at.output + at.outputWidth / 2} y=${line + 15} aria-hidden="true">${result.output.length}×1</text>` : nothing}`;
}

/** The values under the keys whose weights multiply them. @param {MaskContext} context @param {Layout} at */
function valuesRow({ state, result, text }, at) {
  const { x, y } = /** @type {import('./layout.js').Point} */ (at.at.weights);
  const line = y + result.allow.length * at.size + 18;
  const word = at.kind === 'stack' ? 'v' : text('mask.values');
  return svg`<g class="value" aria-hidden="true"><text class="values-word ${at.kind === 'stack' ? 'math' : ''}" x=${x - 8} y=${line}>${word}</text>
    ${result.values.map(([value], j) => svg`<text class="value-number ${state.replaced === j + 1 ? 'replaced' : ''}" x=${x + (j + 0.5) * at.size} y=${line}>${
      Number.isInteger(value) ? formatGiven(value) : formatNumber(value, 1)}</text>`)}</g>`;
}

/** @param {Layout} at @param {import('./rules.js').Size} size @param {number} limit @param {number} rise  height of the arcs over the scores' bar */
function legends(at, size, limit, rise) {
  const width = Math.max(72, Math.min(size.keys * at.size, 156));
  const scores = /** @type {import('./layout.js').Point} */ (at.at.scores ?? at.at.mask);
  const weights = /** @type {import('./layout.js').Point} */ (at.at.weights);
  const below = size.queries * at.size + 32;
  return svg`
    ${limit > 0 ? scoreBar({ x: scores.x, y: scores.y + (at.kind === 'row' ? below : below - 14 + rise), width, limit }, (value) => formatNumber(value, 2)) : nothing}
    ${weightBar({ x: weights.x, y: weights.y + below, width })}`;
}

/** Left and right end of what belongs to a row that starts at height `y`. @param {Layout} at @param {number} y @param {number} keys */
function rowSpan(at, y, keys) {
  const alone = at.kind === 'stack' && y === at.at.mask?.y;
  return [Math.max(0, at.left - 8), alone ? Number(at.at.mask?.x) + keys * at.size : at.output + at.outputWidth];
}

/** The lit row from its name to its output: a band behind everything. @param {Layout} at @param {number} keys @param {number} row */
const rowBands = (at, keys, row) => rowAxes(at).map((y) => {
  const [start, end] = rowSpan(at, y, keys);
  return svg`<rect class="row-band" x=${start} y=${y + row * at.size} width=${end - start} height=${at.size} rx="3" aria-hidden="true"></rect>`;
});

export const figureStyles = [matrixStyles, colorBarStyles, arcStyles, css`
  svg .title { font-size: 14px; font-weight: 600; }
  svg .title .math { font-weight: 400; font-size: 16px; }
  svg .shape { font-size: 12px; font-weight: 400; fill: var(--muted); }
  svg .middle { text-anchor: middle; }
  svg .step { text-anchor: middle; font-size: 24px; font-weight: 300; fill: var(--muted); }
  svg .step-word { text-anchor: middle; fill: var(--muted); }
  svg .step-word.start { text-anchor: start; }
  .arrow path { fill: none; stroke: var(--muted); stroke-width: 1; }
  svg .axis-label { text-anchor: middle; }
  svg .axis-label.row { text-anchor: end; }
  svg .axis-label.slanted { text-anchor: start; }
  svg.tiny .axis-label, svg.tiny .value-number { font-size: 10px; }
  svg.stack .beside-text { font-size: 12px; }
  svg .axis-label.lit { font-weight: 700; }
  svg .axis-label.padded { fill: var(--muted); }
  svg .axis-label.padded:not(:lang(zh)) { font-style: italic; }
  svg .values-word { text-anchor: end; }
  svg .value-number { text-anchor: middle; }
  svg .value-number.replaced { fill: var(--problem); font-weight: 700; }
  .row-band { fill: var(--query); fill-opacity: 0.08; }
  .matrix-frame.query { stroke: var(--query); }
  .matrix-frame.key { stroke: var(--key); }
`];
