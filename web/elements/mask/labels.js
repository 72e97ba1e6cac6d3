// Names of the rows and columns: the query and key they stand for, or its token.

import { svg } from '../../view/lit.js';
import { shortToken, textWidth, visibleToken } from '../../view/token.js';
import { isPaddedQuery, realKeys } from './rules.js';
import { queryToken, shown } from './words.js';

/** @typedef {import('./words.js').Picture} Picture */
/** @typedef {import('./layout.js').Layout} Layout */

const EM = 12;
/** Longest token label, in em; what does not fit is cut with an ellipsis. */
const LONGEST = 7;
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/** @param {string} letter @param {number} at */
const indexed = (letter, at) => letter + [...String(at + 1)].map((digit) => SUBSCRIPTS[Number(digit)]).join('');

/** Width in px that the row labels want. @param {Picture} picture @param {number} width of the figure */
export function rowLabelWidth(picture, width) {
  const size = shown(picture);
  const tokens = Array.from({ length: size.queries }, (_, i) => queryToken(picture.state, size, i));
  if (tokens.some((token) => token !== undefined)) {
    return Math.ceil(Math.max(1, ...tokens.map((token) => Math.min(LONGEST, textWidth(visibleToken(token ?? ''))))) * EM) + 4;
  }
  const whole = Math.ceil(textWidth(picture.text('mask.query', { at: size.queries })) * EM) + 4;
  return width < whole + 90 + size.keys * 36 ? 20 : whole;
}

/** Height in px that the key labels want: one line, or room for tokens on a slant. @param {Picture} picture @param {number} size of a cell */
export function keyLabelHeight({ state }, size) {
  if (!slanted(state.tokens, size)) return 20;
  const longest = Math.max(...(state.tokens ?? []).map((token) => Math.min(LONGEST, textWidth(visibleToken(token)))));
  return Math.ceil(longest * EM * Math.SQRT1_2) + 16;
}

/** @param {string[] | null} tokens @param {number} size */
const slanted = (tokens, size) => tokens !== null && tokens.some((token) => textWidth(visibleToken(token)) * EM > size - 4);

/**
 * @param {Picture} picture @param {Layout} layout @param {import('./layout.js').Point} at  of the matrix
 * @param {number | null} lit  column to show strongly
 */
export function keyLabels({ state, result, text }, { size }, { x, y }, lit) {
  const dimensions = shown({ state, result });
  const slant = slanted(state.tokens, size);
  const padded = state.mask === 'padding' ? realKeys(state, dimensions) : dimensions.keys;
  return Array.from({ length: dimensions.keys }, (_, j) => {
    const token = state.tokens?.[j];
    const whole = text('mask.key', { at: j + 1 });
    const label = token !== undefined ? shortToken(token, slant ? LONGEST : 99) : textWidth(whole) * EM <= size - 4 ? whole : size < 22 ? String(j + 1) : indexed('k', j);
    const place = slant ? `translate(${x + (j + 0.5) * size + 2} ${y - 6}) rotate(-45)` : `translate(${x + (j + 0.5) * size} ${y - 7})`;
    return svg`<text class="axis-label key ${slant ? 'slanted' : ''} ${j === lit ? 'lit' : ''} ${j >= padded ? 'padded' : ''}" transform=${place}
      aria-hidden="true">${label}</text>`;
  });
}

/**
 * @param {Picture} picture @param {Layout} layout @param {number} y  top of the matrix
 * @param {number} lit  row to show strongly
 */
export function rowLabels(picture, { left, labels, size }, y, lit) {
  const { state, text } = picture;
  const dimensions = shown(picture);
  return Array.from({ length: dimensions.queries }, (_, i) => {
    const token = queryToken(state, dimensions, i);
    const whole = text('mask.query', { at: i + 1 });
    const label = token !== undefined ? shortToken(token, LONGEST) : textWidth(whole) * EM <= labels + 1 ? whole : indexed('q', i);
    const padded = isPaddedQuery(state, dimensions, i);
    return svg`<text class="axis-label row query ${i === lit ? 'lit' : ''} ${padded ? 'padded' : ''}" x=${left + labels} y=${y + (i + 0.5) * size + 4}
      aria-hidden="true">${label}</text>`;
  });
}
