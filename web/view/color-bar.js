// The legend of a matrix: its colours as a bar with ticks, as wide as fits under the matrix. Its ends are the ends of the scale.

import { weightColor } from './color.js';
import { css, svg } from './lit.js';

const STEPS = 24;
const HEIGHT = 8;

/**
 * Weights, 0 to 1.
 * @param {{ x: number, y: number, width: number }} place
 */
export function weightBar({ x, y, width }) {
  const step = width / STEPS;
  const squares = Array.from({ length: STEPS }, (_, at) => svg`<rect x=${at * step} width=${step + 0.5} height=${HEIGHT} fill=${weightColor((at + 0.5) / STEPS)}></rect>`);
  return svg`<g class="color-bar" data-bar="weights" transform="translate(${x} ${y})" aria-hidden="true">
    ${squares}${ticks(width, ['0', '½', '1'])}
  </g>`;
}

/**
 * Scores, symmetric about 0.
 * @param {{ x: number, y: number, width: number, limit: number }} place
 * @param {(value: number) => string} number
 */
export function scoreBar({ x, y, width, limit }, number) {
  const step = width / STEPS;
  const squares = Array.from({ length: STEPS }, (_, at) => {
    const along = (2 * (at + 0.5)) / STEPS - 1;
    return svg`<rect class="cell-score ${along > 0 ? 'positive' : 'negative'}" x=${at * step} width=${step} height=${HEIGHT} fill-opacity=${Math.abs(along).toFixed(3)}></rect>`;
  });
  return svg`<g class="color-bar" data-bar="scores" transform="translate(${x} ${y})" aria-hidden="true">
    ${squares}${ticks(width, [number(-limit), '0', number(limit)])}
  </g>`;
}

/** @param {number} width @param {string[]} labels  at the start, the middle and the end */
function ticks(width, labels) {
  return svg`<rect class="color-bar-edge" width=${width} height=${HEIGHT}></rect>${labels.map((label, at) => svg`
    <line class="axis" x1=${(at * width) / 2} x2=${(at * width) / 2} y1=${HEIGHT} y2=${HEIGHT + 3}></line>
    <text class="color-bar-label" x=${(at * width) / 2} y=${HEIGHT + 14}>${label}</text>`)}`;
}

export const colorBarStyles = css`
  .color-bar-edge { fill: none; stroke: var(--line); stroke-width: 1; }
  svg .color-bar-label { fill: var(--muted); font-size: 11px; text-anchor: middle; }
`;
