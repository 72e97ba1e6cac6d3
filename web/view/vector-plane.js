// A square piece of the plane with vectors and points in it. It places; it computes no number that is shown.

import { css, svg } from './lit.js';
import { formatGiven } from './format.js';

/**
 * Where the plane's coordinates are in the figure.
 * @typedef {object} Plane
 * @property {number} left @property {number} top @property {number} size  in the figure, px
 * @property {number} unit  px
 * @property {[number, number]} low @property {[number, number]} high  corners in the plane
 * @property {(x: number) => number} x @property {(y: number) => number} y  to the figure
 * @property {(x: number) => number} fromX @property {(y: number) => number} fromY  back
 */

/** Room for the numbers of the axes, left and below. */
export const GUTTER = 20;

/**
 * @param {{ left: number, top: number, size: number }} box  with the numbers of the axes
 * @param {[number, number]} low  the lower left corner
 * @param {number} span  of both axes
 * @returns {Plane}
 */
export function plane(box, low, span) {
  const { left, top, size } = { left: box.left + GUTTER, top: box.top, size: box.size - GUTTER };
  const unit = size / span;
  return {
    left, top, size, unit, low,
    high: [low[0] + span, low[1] + span],
    x: (x) => left + (x - low[0]) * unit,
    y: (y) => top + size - (y - low[1]) * unit,
    fromX: (x) => low[0] + (x - left) / unit,
    fromY: (y) => low[1] + (top + size - y) / unit,
  };
}

/** @param {Plane} at @returns {import('./labels.js').Box} */
export const boundsOf = ({ left, top, size }) => ({ left, top, right: left + size, bottom: top + size });

/**
 * A square that holds all points and the origin, with a margin, centred on them.
 * @param {readonly (readonly number[])[]} points
 * @param {number} margin  share of the span on each side
 * @returns {{ low: [number, number], span: number }}
 */
export function squareAround(points, margin) {
  const bounds = [0, 1].map((axis) => {
    const all = [0, ...points.map((point) => point[axis])];
    return { low: Math.min(...all), high: Math.max(...all) };
  });
  const extent = Math.max(...bounds.map(({ low, high }) => high - low), 1e-6);
  const span = extent * (1 + 2 * margin);
  const [lowX, lowY] = bounds.map(({ low, high }) => (low + high) / 2 - span / 2);
  return { low: [lowX, lowY], span };
}

/** The distance of grid lines: 1, 2 or 5 times a power of ten, at most nine of them. @param {number} span */
export function gridStep(span) {
  const power = 10 ** Math.floor(Math.log10(span / 9));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => span / step <= 9) ?? 10 * power;
}

/**
 * Grid, axes and their numbers, without the numbers that labels cover.
 * @param {Plane} at @param {readonly import('./labels.js').Box[]} [labels]
 */
export function axes(at, labels = []) {
  const step = gridStep(at.size / at.unit);
  /** @param {0 | 1} axis */
  const lines = (axis) => {
    const first = Math.ceil(at.low[axis] / step);
    const last = Math.floor(at.high[axis] / step);
    return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  };
  const free = (/** @type {number} */ x, /** @type {number} */ y) => !labels.some((box) => x > box.left - 6 && x < box.right + 6 && y > box.top - 6 && y < box.bottom + 6);
  const [right, bottom] = [at.left + at.size, at.top + at.size];
  const [zeroX, zeroY] = [at.x(0), at.y(0)];
  return svg`
    <g aria-hidden="true">
      ${lines(0).map((x) => svg`<line class="hair" x1=${at.x(x)} x2=${at.x(x)} y1=${at.top} y2=${bottom}></line>`)}
      ${lines(1).map((y) => svg`<line class="hair" x1=${at.left} x2=${right} y1=${at.y(y)} y2=${at.y(y)}></line>`)}
      <line class="axis" x1=${at.left} x2=${right} y1=${zeroY} y2=${zeroY}></line>
      <line class="axis" x1=${zeroX} x2=${zeroX} y1=${at.top} y2=${bottom}></line>
      <g class="ticks">
        ${lines(0).filter((x) => free(at.x(x), bottom + 9)).map((x) => svg`<text x=${at.x(x)} y=${bottom + 13} text-anchor="middle">${formatGiven(x)}</text>`)}
        ${lines(1).filter((y) => free(at.left - 9, at.y(y))).map((y) => svg`<text x=${at.left - 5} y=${at.y(y) + 4} text-anchor="end">${formatGiven(y)}</text>`)}
      </g>
    </g>`;
}

const HEAD = { length: 9, half: 4 };

/**
 * A vector from the origin. A zero vector is its dot alone.
 * @param {Plane} at @param {readonly number[]} to @param {string} role
 */
export function arrow(at, to, role) {
  const [x0, y0, x1, y1] = [at.x(0), at.y(0), at.x(to[0]), at.y(to[1])];
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1) return svg`<circle class=${`tip ${role}`} cx=${x1} cy=${y1} r="3"></circle>`;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const head = Math.min(HEAD.length, length);
  const [bx, by] = [x1 - ux * head, y1 - uy * head];
  const corners = [[x1, y1], [bx - uy * HEAD.half, by + ux * HEAD.half], [bx + uy * HEAD.half, by - ux * HEAD.half]];
  return svg`
    <line class=${`shaft ${role}`} x1=${x0} y1=${y0} x2=${bx} y2=${by}></line>
    <polygon class=${`tip ${role}`} points=${corners.map((corner) => corner.map((part) => part.toFixed(2)).join(',')).join(' ')}></polygon>`;
}

/**
 * The arc between two directions, the short way round.
 * @param {Plane} at @param {readonly number[]} a @param {readonly number[]} b @param {number} radius  px
 */
export function arc(at, a, b, radius) {
  const [from, to] = [a, b].map(([x, y]) => Math.atan2(y, x));
  const turn = ((to - from + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
  if (Math.abs(turn) < 0.02 || Math.hypot(...a) === 0 || Math.hypot(...b) === 0) return svg``;
  const [start, end] = [from, from + turn].map((angle) => `${(at.x(0) + radius * Math.cos(angle)).toFixed(2)} ${(at.y(0) - radius * Math.sin(angle)).toFixed(2)}`);
  return svg`<path class="arc" d=${`M ${start} A ${radius} ${radius} 0 0 ${turn > 0 ? 0 : 1} ${end}`}></path>`;
}

export const planeStyles = css`
  svg .ticks text { fill: var(--muted); font-size: 10.5px; }
  svg .shaft { stroke: currentColor; stroke-width: 2; fill: none; }
  svg .tip { fill: currentColor; stroke: none; }
  svg .arc { stroke: var(--muted); stroke-width: 1; fill: none; }
  svg .halo { paint-order: stroke; stroke: var(--surface); stroke-width: 4px; stroke-linejoin: round; }
`;
