// Builders for MathML. A formula is a row of pieces; the line breaks between pieces where it has to, never inside one.
// Roles (query, key, value, output, weight) colour a piece as they colour the figure.

import { css, html, mathml } from './lit.js';
import { formatGiven, formatNumber } from './format.js';

/** @typedef {import('lit').TemplateResult<1 | 2 | 3>} Math */

/**
 * @param {readonly (Math | readonly Math[])[]} pieces
 */
export function formula(...pieces) {
  return html`<div class="formula">${pieces.map((piece) => html`<math>${piece}</math>`)}</div>`;
}

/** A name such as q, with an optional index. @param {string} letter @param {string} [role] @param {string | number} [index] */
export function symbol(letter, role = '', index) {
  const base = mathml`<mi class=${role}>${letter}</mi>`;
  return index === undefined ? base : mathml`<msub class=${role}>${base}${/^\d+$/.test(String(index)) ? mathml`<mn>${index}</mn>` : mathml`<mi>${index}</mi>`}</msub>`;
}

/** An operator. @param {string} operator */
export const sign = (operator) => mathml`<mo form="infix">${operator}</mo>`;

/** A word inside a formula. @param {string} text */
export const word = (text) => mathml`<mtext>${text}</mtext>`;

/** A number as it is shown elsewhere in the figure. @param {string} text @param {string} [role] */
export function shown(text, role = '') {
  if (text.startsWith('\u2212')) return mathml`<mrow class=${role}><mo form="prefix">−</mo><mn>${text.slice(1)}</mn></mrow>`;
  return /^[∞N]/.test(text) ? mathml`<mi class=${role}>${text}</mi>` : mathml`<mn class=${role}>${text}</mn>`;
}

/** A computed number. @param {number} value @param {string} [role] @param {number} [digits] */
export const computed = (value, role, digits) => shown(formatNumber(value, digits), role);

/** A number somebody gave. @param {number} value @param {string} [role] */
export const given = (value, role) => shown(formatGiven(value), role);

/** In brackets where it would stick to the operator before it. @param {number} value @param {string} [role] */
export const factor = (value, role) => (value < 0 ? mathml`<mrow><mo>(</mo>${given(value, role)}<mo>)</mo></mrow>` : given(value, role));

/** @param {readonly Math[]} items @param {string} [role] */
export function vector(items, role = '') {
  return mathml`<mrow class=${role}><mo stretchy="false">[</mo>${items.map((item, index) => [index ? mathml`<mo separator="true">,</mo>` : '', item])}<mo stretchy="false">]</mo></mrow>`;
}

/** @param {Math | readonly Math[]} above @param {Math | readonly Math[]} below */
export const fraction = (above, below) => mathml`<mfrac displaystyle="true"><mrow displaystyle="true">${above}</mrow><mrow displaystyle="true">${below}</mrow></mfrac>`;

/** @param {Math} inside */
export const root = (inside) => mathml`<msqrt>${inside}</msqrt>`;

/** e to a power. @param {Math | readonly Math[]} power */
export const exponential = (power) => mathml`<msup><mi>e</mi><mrow>${power}</mrow></msup>`;

/** @param {Math | readonly Math[]} inside */
export const bars = (inside) => mathml`<mrow><mo stretchy="false">|</mo>${inside}<mo stretchy="false">|</mo></mrow>`;

export const formulaStyles = css`
  .formula { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 0.3em; direction: ltr; }
  :host(:dir(rtl)) .formula { justify-content: flex-end; }
  math { font-family: var(--math); font-size: var(--text-large); }
  math mn, math mtext { font-variant-numeric: tabular-nums lining-nums; }
`;
