import { svg } from '../../view/lit.js';
import { formatExact, formatGiven, formatNumber, formatPercents } from '../../view/format.js';
import { masked } from './query-plane.js';
import { indexed } from './names.js';

/** @typedef {import('./two-key.js').TwoKeyContext} TwoKeyContext */

const NAME = 28;
const NUMBER = 52;
const BAR = 8;

/**
 * One row per key: dot product → ÷√2 → score → softmax → weight.
 * @param {TwoKeyContext} context
 * @param {import('./layout.js').Layout['table']} box
 * @param {Set<string>} lit
 */
export function scoreTable(context, box, lit) {
  const { state, result, text } = context;
  const bar = Math.round(Math.min(Math.max(box.width * 0.4, 104), 168));
  const free = (box.width - NAME - bar - 2 * NUMBER) / 2;
  const columns = {
    dot: box.left + NAME + NUMBER / 2,
    score: box.left + NAME + NUMBER + free + NUMBER / 2,
    weight: box.left + box.width - bar,
  };
  const percents = formatPercents(result.weights);
  const softmax = context.shows('temperature') ? text('twoKey.softmaxAt', { temperature: formatGiven(state.temperature) }) : text('twoKey.softmax');
  const head = (/** @type {number} */ x, /** @type {string} */ name, anchor = 'middle') => svg`<text role="columnheader" class="strong" x=${x} y=${box.top + 12} text-anchor=${anchor}>${name}</text>`;
  const step = (/** @type {number} */ x, /** @type {string} */ name) => svg`<text class="muted" x=${x} y=${box.top + 34} text-anchor="middle">${name}</text>`;
  return svg`
    <g role="grid" aria-label=${text('twoKey.scoresAndWeights')}>
      <g role="row">
        ${head(columns.dot, 'q·k')}
        ${head(columns.score, text('twoKey.score'))}
        ${head(columns.weight, text('twoKey.weight'), 'start')}
      </g>
      <g aria-hidden="true">
        ${step((columns.dot + columns.score) / 2, '÷ √2')}
        ${step((columns.score + NUMBER / 2 + columns.weight) / 2, softmax)}
        <line class="hair" x1=${box.left} x2=${box.left + box.width} y1=${box.top + box.head - 4} y2=${box.top + box.head - 4}></line>
      </g>
      ${state.keys.map((_, key) => row(context, { key, top: box.top + box.head + key * box.row, height: box.row, left: box.left, width: box.width, bar, columns, percent: percents[key], lit }))}
    </g>`;
}

/**
 * @param {TwoKeyContext} context
 * @param {{ key: number, top: number, height: number, left: number, width: number, bar: number, columns: { dot: number, score: number, weight: number }, percent: string, lit: Set<string> }} row
 */
function row(context, { key, top, height, left, width, bar, columns, percent, lit }) {
  const { result, text, tabindex } = context;
  const middle = top + height / 2;
  const hidden = masked(context, key);
  const names = { key: key + 1, dot: formatNumber(result.dots[key]), score: formatNumber(result.scores[key]), percent, weight: formatExact(result.weights[key]) };
  /** @param {'dot' | 'score' | 'weight'} kind @param {number} column @param {number} x @param {number} w @param {unknown} drawing */
  const cell = (kind, column, x, w, drawing) => svg`
    <g role="gridcell" class=${lit.has(`${kind}:${key}`) ? 'cell lit' : 'cell'} data-part=${`${kind}:${key}`} data-grid="scores" data-row=${key} data-col=${column} tabindex=${tabindex('scores', key, column)}
      aria-label=${text(hidden && kind !== 'dot' ? 'twoKey.maskedIs' : `twoKey.${kind}Is`, names)}>
      <rect class="back" x=${x} y=${middle - 20} width=${w} height="40" rx="3"></rect>
      ${drawing}
    </g>`;
  const number = (/** @type {number} */ x, /** @type {number} */ value) => svg`<text class="number" x=${x} y=${middle + 5} text-anchor="middle">${formatNumber(value)}</text>`;
  return svg`
    <g role="row" class=${hidden}>
      ${key ? svg`<line class="hair" x1=${left} x2=${left + width} y1=${top} y2=${top}></line>` : ''}
      <text role="rowheader" class="key" x=${left} y=${middle + 5}><tspan class="math">${indexed('k', key)}</tspan></text>
      ${cell('dot', 0, columns.dot - NUMBER / 2, NUMBER, number(columns.dot, result.dots[key]))}
      ${flow(columns.dot + NUMBER / 2, columns.score - NUMBER / 2, middle)}
      ${cell('score', 1, columns.score - NUMBER / 2, NUMBER, number(columns.score, result.scores[key]))}
      ${flow(columns.score + NUMBER / 2, columns.weight - 8, middle)}
      ${cell('weight', 2, columns.weight - 6, bar + 12, weightBar(context, columns.weight, middle, bar, key, percent))}
    </g>`;
}

/** @param {TwoKeyContext} context @param {number} x @param {number} middle @param {number} width @param {number} key @param {string} percent */
function weightBar(context, x, middle, width, key, percent) {
  const weight = context.result.weights[key];
  const hidden = masked(context, key);
  return svg`
    <text class="number weight" x=${x} y=${middle - 2}>${percent}</text>
    <text class="exact" x=${x + width} y=${middle - 2} text-anchor="end">${hidden ? context.text('common.masked') : formatGiven(weight, 6)}</text>
    ${hidden
      ? svg`<rect class="hatched" x=${x + 0.5} y=${middle + 6.5} width=${width - 1} height=${BAR - 1}></rect>`
      : svg`<rect class="track" x=${x} y=${middle + 6} width=${width} height=${BAR}></rect>
            <rect class="bar" x=${x} y=${middle + 6} width=${width * weight} height=${BAR}></rect>`}`;
}

/** A thin arrow from one number to the next. @param {number} from @param {number} to @param {number} y */
function flow(from, to, y) {
  if (to - from < 10) return svg``;
  const [start, end] = [from + 3, to - 3];
  return svg`<path aria-hidden="true" class="flow" d=${`M ${start} ${y} H ${end} m -4 -3 l 4 3 l -4 3`}></path>`;
}
