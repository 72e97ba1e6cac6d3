import { html } from '../../view/lit.js';
import { formatExact, formatNumber, formatPercents } from '../../view/format.js';
import { bars, computed, exponential, factor, formula, fraction, given, root, shown, sign, symbol, vector, word } from '../../view/formula.js';
import { angleText, masked } from './query-plane.js';

/** @typedef {import('./two-key.js').TwoKeyContext} TwoKeyContext */
/** @typedef {import('../../view/formula.js').Math} Math */

/**
 * One sentence and one formula with the real numbers, for the part that is pointed at.
 * @param {string | null} part
 * @param {TwoKeyContext} context
 */
export function explainTwoKey(part, context) {
  const [kind, index] = (part ?? 'output').split(':');
  const { caption, pieces } = explanations[kind](context, Number(index));
  return html`${formula(...pieces)}<p class="muted">${caption}</p>`;
}

/** @typedef {{ caption: string, pieces: (Math | Math[])[] }} Explanation */

const MOST_TERMS = 3;

const q = () => symbol('q', 'query');
const k = (/** @type {number} */ index) => symbol('k', 'key', index + 1);
const v = (/** @type {number} */ index) => symbol('v', 'value', index + 1);
const w = (/** @type {number} */ index) => symbol('w', 'weight', index + 1);
const s = (/** @type {number} */ index) => symbol('s', '', index + 1);
const dotOf = (/** @type {number} */ index) => [q(), sign('·'), k(index)];

/** @type {Record<string, (context: TwoKeyContext, index: number) => Explanation>} */
const explanations = {
  q: (context) => ({ caption: context.text('twoKey.dragHint'), pieces: outputPieces(context) }),

  output: (context) => ({ caption: context.text(outputCaption(context)), pieces: outputPieces(context) }),

  key: ({ text, result: { dots, geometry: { queryLength, keyLengths, angles } } }, index) => ({
    caption: text(Number.isNaN(angles[index]) ? 'twoKey.noAngle' : 'twoKey.keyHow'),
    pieces: [
      [...dotOf(index), sign('='), bars(q()), sign('·'), bars(k(index)), sign('·'), word('cos θ')],
      [sign('='), computed(queryLength, 'query'), sign('·'), computed(keyLengths[index], 'key'), sign('·'), word(`cos ${angleText(angles[index])}`)],
      [sign('='), computed(dots[index])],
    ],
  }),

  dot: ({ text, state, result }, index) => ({
    caption: text('twoKey.dotHow'),
    pieces: [
      [...dotOf(index), sign('='), ...state.q.flatMap((part, axis) => [...(axis ? [sign('+')] : []), factor(part, 'query'), sign('·'), factor(state.keys[index][axis], 'key')])],
      [sign('='), computed(result.dots[index])],
    ],
  }),

  score: (context, index) => {
    const { text, result } = context;
    if (masked(context, index)) return { caption: text('twoKey.maskedHow'), pieces: [[s(index), sign('='), shown(formatNumber(-Infinity))]] };
    return {
      caption: text('twoKey.scoreHow'),
      pieces: [
        [s(index), sign('='), fraction(dotOf(index), root(symbol('d'))), sign('='), fraction(computed(result.dots[index]), root(given(2)))],
        [sign('='), computed(result.scores[index])],
      ],
    };
  },

  weight: (context, index) => {
    const { text, state, result } = context;
    const percent = formatPercents(result.weights)[index];
    const end = [sign('='), computed(result.weights[index], 'weight'), sign('='), shown(percent, 'weight')];
    const exact = formatExact(result.weights[index]);
    if (masked(context, index)) return { caption: text('twoKey.maskedHow'), pieces: [[w(index), ...end]] };
    if (state.temperature === 0) return { caption: text('twoKey.limitHow'), pieces: [[w(index), ...end]] };
    const power = (/** @type {number} */ key) => {
      const score = computed(result.scores[key]);
      return exponential(state.temperature === 1 ? score : [score, sign('/'), given(state.temperature)]);
    };
    const visible = state.keys.map((_, key) => key).filter((key) => !masked(context, key));
    return {
      caption: text('twoKey.weightHow', { exact }),
      pieces: [[w(index), sign('='), fraction(power(index), sum(visible.map(power)))], end],
    };
  },

  value: (context, index) => ({
    caption: context.text('twoKey.valueHow', { percent: formatPercents(context.result.weights)[index], exact: formatExact(context.result.weights[index]) }),
    pieces: [[w(index), sign('·'), v(index), sign('='), computed(context.result.weights[index], 'weight'), sign('·'), vector(context.state.values[index].map((part) => given(part)), 'value')]],
  }),
};

/** @param {TwoKeyContext} context */
function outputCaption({ state, result }) {
  if (!result.weights.some((weight) => weight > 0)) return 'twoKey.nothingVisible';
  return state.temperature === 0 ? 'twoKey.limitHow' : 'twoKey.outputHow';
}

/** @param {TwoKeyContext} context @returns {(Math | Math[])[]} */
function outputPieces({ state, result }) {
  const terms = state.values.map((value, index) => [computed(result.weights[index], 'weight'), sign('·'), vector(value.map((part) => given(part)), 'value')]);
  const shownTerms = shorten(terms, [sign('⋯')]);
  return [
    [symbol('O', 'output'), sign('='), ...shownTerms[0]],
    ...shownTerms.slice(1).map((term) => [sign('+'), ...term]),
    [sign('='), vector(result.output.map((part) => computed(part)), 'output')],
  ];
}

/** @param {readonly Math[]} terms */
const sum = (terms) => shorten(terms, sign('⋯')).flatMap((term, index) => (index ? [sign('+'), term] : [term]));

/**
 * Long sums show their first two terms and the last.
 * @template T
 * @param {readonly T[]} terms @param {T} dots
 * @returns {T[]}
 */
function shorten(terms, dots) {
  return terms.length <= MOST_TERMS ? [...terms] : [terms[0], terms[1], dots, terms[terms.length - 1]];
}
