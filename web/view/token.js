/**
 * Tokens as labels. A token is any string, taken as given; these functions only make it visible and short, never change what it is.
 */

/** @type {Record<string, string>} */
const VISIBLE = { ' ': '␣', '\n': '↵', '\r': '↵', '\t': '⇥', '\u00a0': '⍽', '\u3000': '⬚' };
// Control and format characters (zero-width joiners between emoji stay: they are part of the picture), and lone surrogates.
// eslint-disable-next-line no-control-regex -- to be found is what they are here for
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A form of the token that shows on a page: spaces, line ends and the empty string have a sign of their own.
 * @param {string} token
 */
export function visibleToken(token) {
  if (token === '') return '∅';
  return token
    .replace(/\r\n/g, '↵')
    .replace(/[ \n\r\t\u00a0\u3000]/g, (c) => VISIBLE[c])
    .replace(INVISIBLE, '·');
}

/** @param {string} text @returns {string[]} what a reader takes for one character each */
function graphemes(text) {
  const Segmenter = /** @type {any} */ (Intl).Segmenter;
  return Segmenter ? Array.from(new Segmenter().segment(text), (/** @type {any} */ s) => s.segment) : Array.from(text);
}

// Wide scripts and emoji take a full em, Latin text in a system font a little over half of it.
const WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/u;

/** @param {string} text @returns {number} an estimate, in em, that errs on the wide side */
export function textWidth(text) {
  return graphemes(text).reduce((sum, g) => sum + (WIDE.test(g) ? 1.05 : /[A-Zmw␣↵⇥@%—]/.test(g) ? 0.8 : 0.58), 0);
}

/**
 * The visible form of a token cut to a width, with an ellipsis where something is left out.
 * @param {string} token @param {number} width in em
 */
export function shortToken(token, width) {
  const whole = visibleToken(token);
  if (textWidth(whole) <= width) return whole;
  let kept = '';
  for (const g of graphemes(whole)) {
    if (textWidth(kept + g) > width - 0.9) break;
    kept += g;
  }
  return `${kept}…`;
}

/**
 * The token for use inside a sentence of another direction: Unicode isolates keep a right-to-left word from turning its neighbours round.
 * @param {string} token
 */
export const isolated = (token) => `\u2068${visibleToken(token)}\u2069`;
