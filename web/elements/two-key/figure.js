import { svg } from '../../view/lit.js';
import { headingTop, layout } from './layout.js';
import { litParts } from './lit-parts.js';
import { queryPlane } from './query-plane.js';
import { scoreTable } from './score-table.js';
import { valuePlane } from './value-plane.js';

/**
 * The whole figure: query and keys, then scores and weights, then values and output.
 * @param {import('./two-key.js').TwoKeyContext} context
 */
export function twoKeyFigure(context) {
  const { width, state, text, part } = context;
  const keys = state.keys.length;
  const places = layout(width, keys);
  const lit = litParts(part, keys);
  const heading = (/** @type {number} */ left, /** @type {number} */ top, /** @type {string} */ name, /** @type {string} */ shapes) => svg`
    <text class="strong" x=${left} y=${headingTop(top) + 14}>${text(name)}</text>
    <text class="muted" x=${left} y=${headingTop(top) + 31}>${shapes}</text>`;
  return svg`
    <svg class="two-key" viewBox=${`0 0 ${width} ${places.height}`} width=${width} height=${places.height} role="group" aria-label=${text('twoKey.title')} aria-describedby="summary">
      <defs>
        <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line class="hatch" x1="0" x2="0" y1="0" y2="5"></line>
        </pattern>
      </defs>
      ${heading(places.query.left, places.query.top, 'twoKey.queryAndKeys', `Q 1×2 · K ${keys}×2`)}
      ${heading(places.table.left, places.table.top, 'twoKey.scoresAndWeights', `S 1×${keys} → A 1×${keys}`)}
      ${heading(places.value.left, places.value.top, 'twoKey.valuesAndOutput', `V ${keys}×2 · O 1×2`)}
      ${queryPlane(context, places.query, lit)}
      ${scoreTable(context, places.table, lit)}
      ${valuePlane(context, places.value, context.wide ? places.value.left - places.table.left - places.table.width - 8 : places.value.left, lit)}
    </svg>`;
}
