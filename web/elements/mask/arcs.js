// A graph mask as its graph: the keys are the nodes, and an arc joins two tokens that may look at each other.

import { css, svg } from '../../view/lit.js';
import { position } from './rules.js';
import { shown } from './words.js';

/**
 * @param {import('./figure.js').MaskContext} context @param {import('./layout.js').Layout} at @param {number} row  whose arcs stand out
 */
export function arcs(context, at, row) {
  const { allow } = context.result;
  const size = shown(context);
  const { x, y } = /** @type {import('./layout.js').Point} */ (at.at.mask);
  const line = y + size.queries * at.size + 10;
  const deepest = at.kind === 'row' ? 48 : 26;
  const self = position(row, size);
  const center = (/** @type {number} */ token) => x + (token + 0.5) * at.size;
  const links = allow.flatMap((cells, i) => cells.flatMap((allowed, j) => {
    const token = position(i, size);
    // Both directions are one arc; a one-way link, possible with the causal rule on top, is drawn all the same.
    const mutual = allow[j - (size.keys - size.queries)]?.[token];
    return allowed && token !== j && (token < j || !mutual) ? [{ token, j }] : [];
  }));
  return svg`<g class="arcs" aria-hidden="true">
    ${links.map(({ token, j }) => {
      const depth = (deepest * Math.abs(token - j)) / Math.max(1, size.keys - 1);
      return svg`<path class=${token === self || j === self ? 'lit' : ''} d="M${center(token)} ${line}C${center(token)} ${line + depth * 1.33},${center(j)} ${line + depth * 1.33},${center(j)} ${line}"></path>`;
    })}
    ${Array.from({ length: size.keys }, (_, j) => svg`<circle class=${j === self ? 'lit' : ''} cx=${center(j)} cy=${line} r="3.5"></circle>`)}
  </g>`;
}

export const arcStyles = css`
  .arcs path { fill: none; stroke: var(--line); stroke-width: 1.5; }
  .arcs path.lit { stroke: var(--ink); }
  .arcs circle { fill: var(--surface); stroke: var(--key); stroke-width: 1.5; }
  .arcs circle.lit { fill: var(--query); stroke: var(--query); }
`;
