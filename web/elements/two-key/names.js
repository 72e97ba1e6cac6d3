/** k₁, v₂ … in plain text; keys count from 1. @param {string} letter @param {number} index */
export function indexed(letter, index) {
  return letter + [...String(index + 1)].map((digit) => '₀₁₂₃₄₅₆₇₈₉'[Number(digit)]).join('');
}
