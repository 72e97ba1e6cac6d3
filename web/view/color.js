// Colour scales of matrices. Weights: one hue, lightness grows linearly with the weight from 0 to 1 (in OKLab, where equal
// steps look equal); the ramp is the same on light and dark pages and prints as a grey wedge. Scores: two hues that meet in
// the page's own colour at 0, each an opacity of a theme colour on which the page's ink stays readable at full strength.

const DARKEST = 0.34;
const LIGHTEST = 0.92;
const HUE = (260 * Math.PI) / 180;

/** @param {number} linear one channel of linear light, 0..1 @returns {number} the sRGB value, 0..255 */
function encode(linear) {
  const c = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
}

/**
 * @param {number} lightness @param {number} a @param {number} b OKLab coordinates
 * @returns {string} `#rrggbb`
 */
function oklab(lightness, a, b) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${channels.map((c) => encode(c).toString(16).padStart(2, '0')).join('')}`;
}

/**
 * The colour of a weight. Out-of-range weights take the nearest end: a legend of 0..1 promises no more.
 * @param {number} weight finite
 * @returns {string} `#rrggbb`
 */
export function weightColor(weight) {
  const w = Math.min(1, Math.max(0, weight));
  // Slate, the colour of weights everywhere: strong enough to be one hue, weak enough to stay apart from the roles' colours and inside sRGB.
  const chroma = 0.034 + 0.036 * w - 0.036 * w * w;
  return oklab(DARKEST + (LIGHTEST - DARKEST) * w, chroma * Math.cos(HUE), chroma * Math.sin(HUE));
}

/** @param {string} hex `#rrggbb` @returns {number} WCAG relative luminance, 0..1 */
export function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} one @param {string} other `#rrggbb` @returns {number} WCAG contrast ratio, 1..21 */
export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/**
 * Black or white, whichever reads better on `hex`. One of the two always reaches 4.58:1, which no softer pair does.
 * @param {string} hex  `#rrggbb`
 * @returns {'black' | 'white'}
 */
export function inkOn(hex) {
  return contrast(hex, '#000000') >= contrast(hex, '#ffffff') ? 'black' : 'white';
}

/**
 * Half-width of a score scale symmetric about 0: the largest finite magnitude, 0 when there is none.
 * @param {Iterable<number>} scores
 */
export function scoreLimit(scores) {
  let limit = 0;
  for (const score of scores) if (Number.isFinite(score)) limit = Math.max(limit, Math.abs(score));
  return limit;
}

/**
 * Where a finite score lies on the scale −limit..limit.
 * @param {number} score @param {number} limit
 * @returns {{side: 'zero' | 'positive' | 'negative', strength: number}} strength 0..1 is the opacity of that side's colour
 */
export function scoreTint(score, limit) {
  if (score === 0 || limit === 0) return { side: 'zero', strength: 0 };
  return { side: score > 0 ? 'positive' : 'negative', strength: Math.min(1, Math.abs(score) / limit) };
}
