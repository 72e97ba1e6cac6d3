import { svg } from '../../view/lit.js';
import { draggable } from '../../view/drag.js';
import { formatGiven, formatNumber, formatVector } from '../../view/format.js';
import { placeLabels, textWidth } from '../../view/labels.js';
import { keyedValue, snap } from '../../view/slider-value.js';
import { arc, arrow, axes, boundsOf, plane } from '../../view/vector-plane.js';
import { indexed, oneLine, twoLines } from './names.js';

/** @typedef {import('./two-key.js').TwoKeyContext} TwoKeyContext */

const STEP = 0.05;
const LABEL = { height: 30, size: 11.5 };

/**
 * The scale of q's coordinates: −3 to 3, or as far as the keys and the q that the page gave reach.
 * @param {TwoKeyContext} context
 */
export function queryScale({ state, given }) {
  const reach = Math.max(3, ...[state.q, given.q, ...state.keys].flat().map((part) => Math.ceil(Math.abs(part))));
  return { min: -reach, max: reach, step: STEP };
}

/** Degrees are radians in another unit. @param {number} radians */
export const degrees = (radians) => (radians * 180) / Math.PI;

/**
 * The query, which can be dragged, and the keys, with their lengths and angles.
 * @param {TwoKeyContext} context
 * @param {import('./layout.js').Square} box
 * @param {Set<string>} lit
 */
export function queryPlane(context, box, lit) {
  const { state, result, text } = context;
  const scale = queryScale(context);
  const margin = scale.max * 0.12;
  const at = plane(box, [scale.min - margin, scale.min - margin], 2 * (scale.max + margin));
  const point = (/** @type {readonly number[]} */ [x, y]) => ({ x: at.x(x), y: at.y(y) });
  const [origin, query] = [{ x: at.x(0), y: at.y(0) }, point(state.q)];
  const lines = state.keys.map((key) => /** @type {[typeof origin, typeof origin]} */ ([origin, point(key)]));
  // A query along a key passes over what lies beyond the key's tip.
  const rays = state.keys.map((key) => /** @type {[typeof origin, typeof origin]} */ ([origin, point(key.map((part) => (part * scale.max) / Math.max(...key.map(Math.abs), 1e-9)))]));
  // Labels lean away from the other keys: between them is where the query mostly is.
  const between = point([0, 1].map((axis) => state.keys.reduce((sum, key) => sum + key[axis], 0) / (2 * state.keys.length)));
  const bounds = boundsOf(at);

  // Many keys leave room for their names alone; the numbers then come with the key that is pointed at.
  const crowded = state.keys.length > 3;
  const readouts = state.keys.map((_, key) => (crowded && !lit.has(`key:${key}`) ? '' : readout(result.geometry.keyLengths[key], result.geometry.angles[key])));
  // A key's label does not depend on q, so that only q moves. The room is for the longest readout there is.
  const room = crowded ? { width: 20, height: 16 } : { width: textWidth('0.000 ∠ 180.0°', LABEL.size), height: LABEL.height };
  const keyBoxes = placeLabels(state.keys.map((key) => ({ ...label(point(key), between, { x: 0, y: -1 }, 8), ...room })), { bounds, lines: [...lines, ...rays] });
  const [queryBox] = placeLabels([{ ...label(query, origin, { x: 1, y: -1 }, 12), width: textWidth('q 0.000', 13), height: 18 }], { bounds, lines: [...lines, [origin, query]], boxes: keyBoxes });

  return svg`
    ${axes(at, [...keyBoxes, queryBox])}
    ${crowded ? '' : state.keys.map((key, index) => arc(at, state.q, key, Math.min(at.unit * 0.5, 26) + 8 * index))}
    <g role="list" aria-label=${text('twoKey.keys')}>
      ${state.keys.map((key, index) => svg`
        <g role="listitem" class=${`vector key ${masked(context, index)} ${lit.has(`key:${index}`) ? 'lit' : ''}`} data-part=${`key:${index}`} data-grid="keys" data-row="0" data-col=${index} tabindex=${context.tabindex('keys', 0, index)}
          aria-label=${text('twoKey.keyIs', { key: index + 1, vector: formatVector(key, formatGiven), length: formatNumber(result.geometry.keyLengths[index]), angle: angleText(result.geometry.angles[index]) })}>
          ${arrow(at, key, 'key')}
          ${twoLines(keyBoxes[index], indexed('k', index), readouts[index])}
        </g>`)}
    </g>
    ${queryHandle(context, query, scale, at, lit.has('q'), svg`
      ${arrow(at, state.q, 'query')}
      ${oneLine(queryBox, 'q', formatNumber(result.geometry.queryLength), 'readout')}`)}`;
}

/**
 * @param {TwoKeyContext} context
 * @param {{ x: number, y: number }} query
 * @param {import('../../view/slider-value.js').Scale} scale
 * @param {import('../../view/vector-plane.js').Plane} at
 * @param {boolean} lit
 * @param {unknown} drawing
 */
function queryHandle({ state, text, change, tabindex }, query, scale, at, lit, drawing) {
  const [x, y] = state.q;
  const drag = draggable(query, (px, py) => change({ q: [snap(at.fromX(px), scale), snap(at.fromY(py), scale)] }));
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const across = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (!across && event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const coarse = event.shiftKey ? { ...scale, step: 10 * scale.step } : scale;
    // The plane is not mirrored from right to left, and neither are its keys.
    const moved = /** @type {number} */ (keyedValue(event.key, across ? x : y, coarse, false));
    change({ q: across ? [moved, y] : [x, moved] });
  };
  return svg`
    <g class=${`vector query ${lit ? 'lit' : ''}`} data-part="q">
      ${drawing}
      <g class="handle" role="slider" tabindex=${tabindex('query', 0, 0)} aria-roledescription=${text('twoKey.point')} aria-label=${text('twoKey.query')}
        aria-valuemin=${scale.min} aria-valuemax=${scale.max} aria-valuenow=${x} aria-valuetext=${formatVector(state.q, formatGiven)}
        @pointerdown=${drag} @keydown=${keydown}>
        <circle data-live class="reach" cx=${query.x} cy=${query.y} r="22"></circle>
        <circle class="ring" cx=${query.x} cy=${query.y} r="8"></circle>
      </g>
    </g>`;
}

/** @param {number} length @param {number} angle */
function readout(length, angle) {
  return Number.isNaN(angle) ? formatNumber(length) : `${formatNumber(length)} ∠ ${angleText(angle)}`;
}

/** @param {number} angle  radians; NaN where a vector is zero */
export const angleText = (angle) => (Number.isNaN(angle) ? '–' : `${formatNumber(degrees(angle), 1)}°`);

/** @param {TwoKeyContext} context @param {number} key */
export const masked = ({ state }, key) => (state.allowKeys?.[key] === false ? 'masked' : '');

/**
 * @param {{ x: number, y: number }} at @param {{ x: number, y: number }} origin
 * @param {{ x: number, y: number }} otherwise  where a zero vector's label goes
 * @param {number} [gap]
 */
function label(at, origin, otherwise, gap = 6) {
  const toward = { x: at.x - origin.x, y: at.y - origin.y };
  return { at, toward: Math.hypot(toward.x, toward.y) < 1 ? otherwise : toward, gap };
}
