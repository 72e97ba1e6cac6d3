// Why a cell is open or masked, in words.

import { position, realKeys } from './rules.js';
import { shown } from './words.js';

/**
 * @param {import('./words.js').Picture} picture @param {number} i @param {number} j
 * @returns {string}
 */
export function why({ state, result, text }, i, j) {
  const size = shown({ state, result });
  const allowed = result.allow[i][j];
  const at = position(i, size) + 1;
  const key = j + 1;
  // With the causal rule on top, a later key is masked by it, whatever the other mask says.
  const mask = state.causal && !allowed && key > at ? 'causal' : state.mask;
  const side = allowed ? 'open' : 'hidden';
  switch (mask) {
    case 'causal':
      return text(`mask.why.causal.${side}`, { key, at });
    case 'padding':
      return text(`mask.why.padding.${side}`, { key, real: realKeys(state, size) });
    case 'window':
      return text(`mask.why.window.${side}`, { key, at, away: Math.abs(at - key), window: state.window });
    case 'block':
      return text(`mask.why.block.${side}`, { key, at });
    case 'graph':
      return at === key ? text('mask.why.graph.self', { key }) : text(`mask.why.graph.${side}`, { key, at });
    default:
      return text(`mask.why.${mask}`, {});
  }
}
