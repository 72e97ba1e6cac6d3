import { svg } from '../../view/lit.js';
import { formatGiven, formatPercents, formatVector } from '../../view/format.js';
import { placeLabels, textWidth } from '../../view/labels.js';
import { GUTTER, axes, boundsOf, plane, squareAround } from '../../view/vector-plane.js';
import { masked } from './query-plane.js';
import { indexed, oneLine } from './names.js';

/** @typedef {import('./two-key.js').TwoKeyContext} TwoKeyContext */

/** Between a value and the border of the plane, px: a label fits in on any side, so that none changes sides with the width. */
const LABEL_ROOM = 32;

/**
 * The values and the output: on the segment between two values, inside the hull of more.
 * @param {TwoKeyContext} context
 * @param {import('./layout.js').Square} box
 * @param {number} room  free space to the left of the box
 * @param {Set<string>} lit
 */
export function valuePlane(context, box, room, lit) {
  const { state, result, text, tabindex } = context;
  const { low, span } = squareAround(state.values, Math.max(0.2, LABEL_ROOM / (box.size - GUTTER - 2 * LABEL_ROOM)));
  const at = plane(box, low, span);
  const point = (/** @type {readonly number[]} */ [x, y]) => ({ x: at.x(x), y: at.y(y) });
  const points = state.values.map(point);
  const output = point(result.output);
  const bounds = boundsOf(at);
  const middle = point([0, 1].map((axis) => state.values.reduce((sum, value) => sum + value[axis] / state.values.length, 0)));
  const percents = formatPercents(result.weights);
  const lines = spokes(points);

  const boxes = placeLabels(
    points.map((value) => ({ at: value, toward: { x: value.x - middle.x || 0.1, y: value.y - middle.y || -1 }, width: textWidth('v₁ 100.0 %', 13), height: 18, gap: 10 })),
    { bounds, lines },
  );
  const outputText = formatVector(result.output);
  const outputLabel = { width: textWidth(`O ${outputText}`, 13) + 6, height: 18, gap: 10 };
  // In a small plane the label may reach over the numbers of the axis.
  const roomy = { ...bounds, left: box.left - room };
  const toward = steadySide(points, { x: at.x(0), y: at.y(0) }, outputLabel, roomy);
  const [outputBox] = placeLabels([{ at: output, toward, ...outputLabel }], { bounds: roomy, lines, boxes });
  return svg`
    ${axes(at, [...boxes, outputBox])}
    <g aria-hidden="true">
      ${points.length > 2 ? svg`<polygon class="hull" points=${hull(points).map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(' ')}></polygon>` : ''}
      ${points.length === 2 ? lever(points[0], points[1], output) : points.map((value, index) => svg`<line class="spoke" x1=${value.x} y1=${value.y} x2=${output.x} y2=${output.y} stroke-opacity=${0.15 + 0.85 * result.weights[index]}></line>`)}
    </g>
    <g role="list" aria-label=${text('twoKey.valuesAndOutput')}>
      ${state.values.map((value, index) => svg`
        <g role="listitem" class=${`vector value ${masked(context, index)} ${lit.has(`value:${index}`) ? 'lit' : ''}`} data-part=${`value:${index}`} data-grid="values" data-row="0" data-col=${index} tabindex=${tabindex('values', 0, index)}
          aria-label=${text('twoKey.valueIs', { value: index + 1, vector: formatVector(value, formatGiven), percent: percents[index] })}>
          <circle class="mass" cx=${points[index].x} cy=${points[index].y} r=${4 + 12 * Math.sqrt(result.weights[index])}></circle>
          <circle class="tip" cx=${points[index].x} cy=${points[index].y} r="4"></circle>
          ${oneLine(boxes[index], indexed('v', index), percents[index], 'weight')}
        </g>`)}
      <g role="listitem" class=${`vector output ${lit.has('output') ? 'lit' : ''}`} data-part="output" data-grid="values" data-row="0" data-col=${points.length} tabindex=${tabindex('values', 0, points.length)}
        aria-label=${text('twoKey.outputIs', { vector: formatVector(result.output) })}>
        <circle class="tip" cx=${output.x} cy=${output.y} r="6"></circle>
        ${oneLine(outputBox, 'O', outputText, 'numbers')}
      </g>
    </g>`;
}

/** @typedef {{ x: number, y: number }} Point */

/**
 * The segment between two values with a mark at every tenth. O stands where it balances the two weights.
 * @param {Point} a @param {Point} b @param {Point} output
 */
function lever(a, b, output) {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  if (length < 1) return '';
  const [nx, ny] = [(-(b.y - a.y) / length) * 3, ((b.x - a.x) / length) * 3];
  return svg`
    <line class="arm" x1=${a.x} y1=${a.y} x2=${output.x} y2=${output.y}></line>
    <line class="arm" x1=${b.x} y1=${b.y} x2=${output.x} y2=${output.y}></line>
    ${Array.from({ length: 9 }, (_, index) => {
      const [x, y] = [a.x + ((b.x - a.x) * (index + 1)) / 10, a.y + ((b.y - a.y) * (index + 1)) / 10];
      return svg`<line class="tenth" x1=${x - nx} y1=${y - ny} x2=${x + nx} y2=${y + ny}></line>`;
    })}`;
}

/**
 * Square to the segment, so that the label keeps its side while O slides: away from the origin, unless only the other
 * side has room for it at both ends.
 * @param {readonly Point[]} points @param {Point} origin
 * @param {{ width: number, gap: number }} label @param {import('../../view/labels.js').Box} bounds
 * @returns {Point}
 */
function steadySide(points, origin, label, bounds) {
  if (points.length !== 2) return { x: 1, y: -1 };
  const [a, b] = points;
  const across = { x: -(b.y - a.y), y: b.x - a.x };
  const away = across.x * ((a.x + b.x) / 2 - origin.x) + across.y * ((a.y + b.y) / 2 - origin.y) < 0 ? -1 : 1;
  const reach = label.gap + label.width;
  const fits = (/** @type {number} */ sign) => points.every(({ x }) => (sign * across.x > 0 ? x + reach <= bounds.right : x - reach >= bounds.left));
  const sign = !fits(away) && fits(-away) ? -away : away;
  return { x: sign * across.x, y: sign * across.y };
}

/** The lines between neighbours, which labels should keep off. @param {readonly Point[]} points @returns {[Point, Point][]} */
function spokes(points) {
  return points.slice(1).map((point, index) => [points[index], point]);
}

/** The convex hull, by Andrew's monotone chain. @param {readonly Point[]} points */
function hull(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (/** @type {Point[]} */ ordered) => {
    /** @type {Point[]} */
    const chain = [];
    for (const point of ordered) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** @param {Point} a @param {Point} b @param {Point} c */
const turn = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
