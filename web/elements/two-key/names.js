import { svg } from '../../view/lit.js';

/** k₁, v₂ … in plain text; keys count from 1. @param {string} letter @param {number} index */
export function indexed(letter, index) {
  return letter + [...String(index + 1)].map((digit) => '₀₁₂₃₄₅₆₇₈₉'[Number(digit)]).join('');
}

/** @param {import('../../view/labels.js').Box} box @param {string} name @param {string} number @param {string} role  of the number */
export function oneLine({ left, right, top, bottom }, name, number, role) {
  return svg`
    ${reach({ left, right, top, bottom })}
    <text class="halo" x=${(left + right) / 2} y=${top + 14} text-anchor="middle"><tspan class="math">${name}</tspan><tspan class=${role} dx="5">${number}</tspan></text>`;
}

/** @param {import('../../view/labels.js').Box} box @param {string} name @param {string} below */
export function twoLines({ left, right, top, bottom }, name, below) {
  const middle = (left + right) / 2;
  return svg`
    ${reach({ left, right, top, bottom })}
    <text class="halo" x=${middle} y=${top + 13} text-anchor="middle"><tspan class="math">${name}</tspan></text>
    <text class="halo readout" x=${middle} y=${top + 27} text-anchor="middle">${below}</text>`;
}

/** What can be pointed at around a label, and what shows that it has the focus. @param {import('../../view/labels.js').Box} box */
function reach({ left, right, top, bottom }) {
  return svg`<rect data-live class="reach" x=${left - 2} y=${top - 2} width=${right - left + 4} height=${bottom - top + 4} rx="3"></rect>`;
}
