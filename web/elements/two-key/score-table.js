import { svg } from '../../view/lit.js';
import { formatGiven, formatNumber, formatPercents } from '../../view/format.js';
import { textWidth } from '../../view/labels.js';
import { masked } from './query-plane.js';
import { indexed } from './names.js';

/** @typedef {import('./two-key.js').TwoKeyContext} TwoKeyContext */

const NAME = 24;
const NUMBER = 46;
const BAR = 8;
/** From the middle of a row to the one line that all of its texts stand on. */
const BASELINE = 5;

/**
 * One row per key: dot product → ÷√2 → score → softmax → weight.
 * @param {TwoKeyContext} context
 * @param {import('./layout.js').Layout['table']} box
 * @param {Set<string>} lit
 */
export function scoreTable(context, box, lit) {
  const { state, result, text } = context;
  const bar = Math.round(Math.min(Math.max(box.width * 0.4, 112), 168));
  const free = (box.width - NAME - bar - 2 * NUMBER) / 2;
  const columns = {
    dot: box.left + NAME + NUMBER / 2,
    score: box.left + NAME + NUMBER + free + NUMBER / 2,
    weight: box.left + box.width - bar,
  };
  const percents = formatPercents(result.weights);
  const head = (/** @type {number} */ x, /** @type {unknown} */ name, anchor = 'middle') => svg`<text role="columnheader" class="strong" x=${x} y=${box.top + 12} text-anchor=${anchor}>${name}</text>`;
  const step = (/** @type {number} */ x, /** @type {string} */ name, anchor = 'middle') => svg`<text class="muted" x=${x} y=${box.top + 34} text-anchor=${anchor}>${name}</text>`;
  return svg`
    <g role="grid" aria-label=${text('twoKey.scoresAndWeights')}>
      <g role="row">
        ${head(columns.dot, svg`<tspan class="math">q·k</tspan>`)}
        ${head(columns.score, text('twoKey.score'))}
        ${head(columns.weight, text('twoKey.weight'), 'start')}
      </g>
      <g aria-hidden="true">
        ${step((columns.dot + columns.score) / 2, '÷ √2')}
        ${step(columns.weight - 8, text('twoKey.softmax'), 'end')}
        ${context.shows('temperature') ? step(columns.weight, state.temperature === 0 ? 'T → 0' : `T = ${formatGiven(state.temperature)}`, 'start') : ''}
        <line class="hair" x1=${box.left} x2=${box.left + box.width} y1=${box.top + box.head - 4} y2=${box.top + box.head - 4}></line>
      </g>
      ${state.keys.map((_, key) => row(context, { key, top: box.top + box.head + key * box.row, height: box.row, left: box.left, width: box.width, bar, columns, percent: percents[key], lit }))}
    </g>
    ${total(context, columns.weight, box.top + box.head + state.keys.length * box.row, bar)}`;
}

/**
 * @param {TwoKeyContext} context
 * @param {{ key: number, top: number, height: number, left: number, width: number, bar: number, columns: { dot: number, score: number, weight: number }, percent: string, lit: Set<string> }} row
 */
function row(context, { key, top, height, left, width, bar, columns, percent, lit }) {
  const { result, text, tabindex } = context;
  const middle = top + height / 2;
  const hidden = masked(context, key);
  const names = { key: key + 1, dot: formatNumber(result.dots[key]), score: formatNumber(result.scores[key]), percent, weight: hidden ? '' : formatGiven(result.weights[key], 6) };
  /** @param {'dot' | 'score' | 'weight'} kind @param {number} column @param {number} x @param {number} w @param {unknown} drawing */
  const cell = (kind, column, x, w, drawing) => svg`
    <g role="gridcell" class=${['cell', lit.has(`${kind}:${key}`) ? 'lit' : '', context.part === `${kind}:${key}` ? 'target' : ''].join(' ')} data-part=${`${kind}:${key}`} data-grid="scores" data-row=${key} data-col=${column} tabindex=${tabindex('scores', key, column)}
      aria-label=${[text(`twoKey.${kind}Is`, names), hidden && kind !== 'dot' ? text('common.masked') : ''].join(' ').trim()}>
      <rect data-live class="back" x=${x} y=${middle - 16} width=${w} height="38" rx="3"></rect>
      ${drawing}
    </g>`;
  const number = (/** @type {number} */ x, /** @type {number} */ value) => svg`<text class="number" x=${x} y=${middle + BASELINE} text-anchor="middle">${formatNumber(value)}</text>`;
  return svg`
    <g role="row" class=${hidden}>
      ${key ? svg`<line class="hair" x1=${left} x2=${left + width} y1=${top} y2=${top}></line>` : ''}
      <text role="rowheader" class="key" x=${left} y=${middle + BASELINE}><tspan class="math">${indexed('k', key)}</tspan></text>
      ${cell('dot', 0, columns.dot - NUMBER / 2, NUMBER, number(columns.dot, result.dots[key]))}
      ${cell('score', 1, columns.score - NUMBER / 2, NUMBER, number(columns.score, result.scores[key]))}
      ${cell('weight', 2, columns.weight - 6, bar + 12, weightBar(context, columns.weight, middle, bar, key, percent))}
      ${flow(columns.dot + half(result.dots[key]), columns.score - half(result.scores[key]), middle)}
      ${flow(columns.score + half(result.scores[key]), columns.weight, middle)}
    </g>`;
}

/** @param {TwoKeyContext} context @param {number} x @param {number} middle @param {number} width @param {number} key @param {string} percent */
function weightBar(context, x, middle, width, key, percent) {
  const weight = context.result.weights[key];
  const hidden = masked(context, key);
  return svg`
    <text class="number weight" x=${x} y=${middle + BASELINE}>${percent}</text>
    <text class="exact" x=${x + width} y=${middle + BASELINE} text-anchor="end">${hidden ? context.text('common.masked') : formatGiven(weight, 6)}</text>
    ${hidden
      ? svg`<rect class="hatched" x=${x + 0.5} y=${middle + BASELINE + 6.5} width=${width - 1} height=${BAR - 1}></rect>`
      : svg`<rect class="track" x=${x} y=${middle + BASELINE + 6} width=${width} height=${BAR}></rect>
            <rect class="bar" x=${x} y=${middle + BASELINE + 6} width=${width * weight} height=${BAR}></rect>`}`;
}

/** What the weights add up to, under their column. @param {TwoKeyContext} context @param {number} x @param {number} top @param {number} width */
function total({ result, text }, x, top, width) {
  const [percent] = formatPercents([result.weightSum]);
  return svg`
    <g class="total">
      <line class="axis" x1=${x} x2=${x + width} y1=${top} y2=${top}></line>
      <text class="muted" x=${x - 8} y=${top + 19} text-anchor="end">${text('twoKey.sum')}</text>
      <text class="number weight" x=${x} y=${top + 19}>${percent}</text>
      <text class="exact" x=${x + width} y=${top + 19} text-anchor="end">${formatGiven(result.weightSum, 6)}</text>
    </g>`;
}

/** Half the width of a number in the table. @param {number} value */
const half = (value) => textWidth(formatNumber(value), 14) / 2;

/** A thin arrow from one number to the next. @param {number} from @param {number} to @param {number} y */
function flow(from, to, y) {
  if (to - from < 16) return svg``;
  const [start, end] = [from + 5, to - 5];
  return svg`<path aria-hidden="true" class="flow" d=${`M ${start} ${y} H ${end} m -4 -3 l 4 3 l -4 3`}></path>`;
}
