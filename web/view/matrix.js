// A matrix as a grid of cells, drawn 1:1 in CSS pixels inside a figure's svg. For assistive technology it is a grid of
// rows of named cells with one tab stop; the element's grid focus moves between them. Column order is a fact of the
// matrix, so it does not turn round on right-to-left pages.

import { inkOn, scoreTint, weightColor } from './color.js';
import { css, guard, nothing, svg } from './lit.js';

/**
 * @typedef {object} Cell
 * @property {'weight' | 'score' | 'open' | 'masked' | 'nonfinite'} look  each kind of value has its own picture: `weight` and `score`
 *   take a colour from `value`, `open` is a plain square, `masked` is hatched, `nonfinite` has a dashed frame
 * @property {number} [value]
 * @property {string} text  what stands in the cell, if there is room for it
 * @property {string} name  what is read aloud, with the row and the column in it
 * @property {boolean} [edited]  draws a mark in the corner: this cell is not what it was
 */

/**
 * @typedef {object} Matrix
 * @property {string} grid  identifies the matrix in its figure: cell (i, j) has `data-part="grid:i:j"`, counted from 0
 * @property {string} label  accessible name
 * @property {Cell[][]} cells  rows of equal length; the same array again stands for the same cells, also for what is beside them
 * @property {number} x  left edge @property {number} y  top edge
 * @property {number} size  edge of a cell
 * @property {number} [limit]  the score scale is −limit..limit
 * @property {(grid: string, row: number, column: number) => number} tabindex
 * @property {(row: number, column: number) => void} [press]  given when cells can be pressed, by click, tap, Enter or Space
 * @property {(row: number) => Beside[]} [beside]  what stands to the right of a row, such as its sum
 */

/**
 * @typedef {object} Beside  a number beside a row, part of the grid for the keyboard
 * @property {string} part  its data-part
 * @property {number} x  left edge, from the left edge of the matrix @property {number} width
 * @property {string} text @property {string} [note]  a second, small line
 * @property {string} name  what is read aloud
 * @property {string} [role]  class of its colour
 */

/** @param {Matrix} given */
export function matrix({ grid, label, cells, x, y, size, limit = 0, tabindex, press, beside }) {
  const columns = (cells[0]?.length ?? 0) + (beside?.(0).length ?? 0);
  /** @param {Event} event */
  const click = (event) => {
    const cell = /** @type {Element} */ (event.target).closest('[role=gridcell]');
    if (cell) press?.(Number(cell.getAttribute('data-row')), Number(cell.getAttribute('data-col')));
  };
  /** @param {KeyboardEvent} event */
  const keydown = (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (!event.repeat) click(event);
  };
  // Pointing at a part redraws the figure, but no cell of it: these are all that a cell depends on.
  const stop = cells.flatMap((_, i) => Array.from({ length: columns }, (__, j) => tabindex(grid, i, j))).indexOf(0);
  const edge = { width: (cells[0]?.length ?? 0) * size, height: cells.length * size };
  return svg`<g role="grid" class="matrix ${press ? 'pressable' : ''}" aria-label=${label} aria-readonly=${press ? nothing : 'true'}
      aria-rowcount=${cells.length} aria-colcount=${columns} transform="translate(${x} ${y})"
      @click=${press ? click : nothing} @keydown=${press ? keydown : nothing}>
    ${guard([cells, size, limit, stop], () => cells.map((row, i) => svg`<g role="row" aria-rowindex=${i + 1}>${row.map((cell, j) => svg`<g role="gridcell"
        class="cell" data-part="${grid}:${i}:${j}" data-grid=${grid} data-row=${i} data-col=${j} tabindex=${tabindex(grid, i, j)}
        aria-colindex=${j + 1} aria-label=${cell.name} transform="translate(${j * size} ${i * size})">
      ${ground(cell, size, limit)}${inscription(cell, size)}
      ${cell.edited ? svg`<path class="cell-edited" d="M${size - 9} 1h8v8z"></path>` : nothing}
      ${ring(size, size)}
    </g>`)}${beside?.(i).map((item, at) => svg`<g role="gridcell" class="cell beside ${item.role ?? ''}" data-part=${item.part}
        data-grid=${grid} data-row=${i} data-col=${row.length + at} tabindex=${tabindex(grid, i, row.length + at)}
        aria-colindex=${row.length + at + 1} aria-label=${item.name} transform="translate(${item.x} ${i * size})">
      <rect class="cell-hit" width=${item.width} height=${size}></rect>
      <text class="beside-text ${isVulgar(item.text) ? 'vulgar' : ''}" x=${item.width / 2} y=${size / 2 + (item.note ? -1 : 5)} aria-hidden="true">${item.text}</text>
      ${item.note ? svg`<text class="beside-note" x=${item.width / 2} y=${size / 2 + 11} aria-hidden="true">${item.note}</text>` : nothing}
      ${ring(item.width, size)}
    </g>`)}</g>`))}
    <rect class="matrix-edge" width=${edge.width} height=${edge.height} aria-hidden="true"></rect>
  </g>`;
}

/** @param {number} width @param {number} height */
const ring = (width, height) => svg`<rect class="cell-ring" x="1.5" y="1.5" width=${width - 3} height=${height - 3}></rect>`;

/**
 * A frame around cells, drawn after the matrix so that nothing covers it.
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {string} [role]  class of the colour
 */
export const frame = ({ x, y, width, height }, role = '') =>
  svg`<rect class="matrix-frame ${role}" x=${x} y=${y} width=${width} height=${height} aria-hidden="true"></rect>`;

/**
 * Diagonal strokes over a square, spaced so that they run on into the neighbouring cells.
 * @param {number} size
 */
export function hatch(size) {
  const step = size / Math.max(3, Math.round(size / 7));
  let path = '';
  for (let d = step / 2; d < 2 * size; d += step) {
    const [near, far] = [Math.min(d, size), Math.max(0, d - size)];
    path += `M${near.toFixed(2)} ${far.toFixed(2)}L${far.toFixed(2)} ${near.toFixed(2)}`;
  }
  return path;
}

/** A single sign such as ½, whose digits are half as high as those of a number. @param {string} text */
const isVulgar = (text) => /^[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]$/.test(text);

/**
 * Font size in px that lets a text fit into a cell, 0 when none is readable.
 * @param {string} text @param {number} size
 */
export function cellFont(text, size) {
  // Tabular digits are at most 0.62 em wide.
  const fraction = isVulgar(text);
  const width = fraction ? 0.95 : [...text].reduce((sum, c) => sum + (/[.,/]/.test(c) ? 0.35 : c === '∞' ? 0.85 : 0.62), 0);
  const font = Math.min(fraction ? 20 : 15, size * (fraction ? 0.48 : 0.36), (size - (size < 32 ? 3 : size * 0.18)) / width);
  return font < 8.5 ? 0 : font;
}

/** @param {Cell} cell @param {number} size @param {number} limit */
function ground({ look, value = 0 }, size, limit) {
  const paper = svg`<rect class="cell-paper" width=${size} height=${size}></rect>`;
  if (look === 'weight') return svg`<rect class="cell-weight" width=${size} height=${size} fill=${weightColor(value)}></rect>`;
  if (look === 'score') {
    const { side, strength } = scoreTint(value, limit);
    return svg`${paper}<rect class="cell-score ${side}" width=${size} height=${size} fill-opacity=${strength.toFixed(4)}></rect>`;
  }
  if (look === 'masked') return svg`${paper}<path class="cell-hatch" d=${hatch(size)}></path>`;
  if (look === 'nonfinite') return svg`${paper}<rect class="cell-dashes" x="3" y="3" width=${size - 6} height=${size - 6}></rect>`;
  return paper;
}

/** @param {Cell} cell @param {number} size */
function inscription({ look, value = 0, text }, size) {
  const font = cellFont(text, size);
  if (text === '' || font === 0) return nothing;
  // A weight's colour is the same on light and dark pages and so is its ink; all other texts use the page's.
  const ink = look === 'weight' ? inkOn(weightColor(value)) : look;
  return svg`<text class="cell-text ${ink}" x=${size / 2} y=${size / 2 + font * 0.36} font-size=${font.toFixed(1)} aria-hidden="true">${text}</text>`;
}

export const matrixStyles = css`
  .cell { outline: none; }
  .pressable .cell { cursor: pointer; }
  .cell-paper, .cell-weight { stroke: var(--surface); stroke-width: 1; }
  .cell-paper { fill: var(--surface); stroke: var(--line); }
  .cell-score.positive { fill: var(--positive); }
  .cell-score.negative { fill: var(--negative); }
  .cell-score.zero { fill: none; }
  .cell-hatch { fill: none; stroke: var(--line); stroke-width: 0.8; }
  .cell-dashes { fill: none; stroke: var(--problem); stroke-width: 1.5; stroke-dasharray: 3 3; }
  svg .cell-text { text-anchor: middle; pointer-events: none; }
  svg .cell-text.black { fill: #000; }
  svg .cell-text.white { fill: #fff; }
  svg .cell-text.masked { fill: var(--muted); stroke: var(--surface); stroke-width: 4; stroke-linejoin: round; paint-order: stroke; }
  svg .cell-text.nonfinite { fill: var(--problem); }
  .cell-edited { fill: var(--problem); }
  .cell-hit { fill: transparent; }
  svg .beside-text { text-anchor: middle; font-size: 14px; }
  svg .beside-text.vulgar { font-size: 18px; }
  svg .beside-note { text-anchor: middle; font-size: 10px; fill: var(--muted); }
  .cell-ring { fill: none; stroke: none; stroke-width: 3; pointer-events: none; }
  .cell:focus-visible .cell-ring { stroke: var(--ink); }
  .matrix-edge { fill: none; stroke: var(--line); stroke-width: 1; pointer-events: none; }
  .matrix-frame { fill: none; stroke: var(--ink); stroke-width: 1.5; pointer-events: none; }
`;
