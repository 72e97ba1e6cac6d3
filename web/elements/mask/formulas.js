// How the number pointed at was made, with the numbers of the figure in the formula.

import { formatExact, formatGiven, formatNumber, formatPercents } from '../../view/format.js';
import { exponential, factor, formula, fraction, given, root, shown as number, sign, symbol, vector, word } from '../../view/formula.js';
import { mathml } from '../../view/lit.js';
import { outputText, sumText } from './beside.js';
import { inputs, replaceToken } from './inputs.js';
import { litCell, readPart } from './parts.js';
import { why } from './why.js';
import { shown, visibleKeys, weightText } from './words.js';

/** @typedef {import('./figure.js').MaskContext} MaskContext */
/** @typedef {import('../../view/formula.js').Math} Math */

const HIDDEN = '−∞';
/** @param {string | null} part @param {MaskContext} context */
export function explain(part, context) {
  const pointed = readPart(part);
  const { row: i, column } = litCell(context);
  if (!pointed || pointed.row !== i) return rowFormula(context, i);
  const j = column ?? 0;
  switch (pointed.name) {
    case 'scores':
      return scoreFormula(context, i, j);
    case 'mask':
      return maskFormula(context, i, j);
    case 'weights':
      return weightFormula(context, i, j);
    case 'sum':
      return sumFormula(context.result.weights[i], context.result.rowSums[i], i, context.width);
    case 'output':
      return outputFormula(context, i);
    case 'softmax':
      return formula([sign('softmax'), entry('S', i, j), sign('='), softmaxOf(context.result.scores[i].map(scoreText), j, context.width), sign('='), weight(context.result.compared?.softmax[i][j] ?? NaN)]);
    case 'zeroed':
      return zeroedFormula(context, i, j);
    case 'zeroedSum':
      return context.result.compared ? sumFormula(context.result.compared.zeroed[i], context.result.compared.rowSums[i], i, context.width, 'Z') : rowFormula(context, i);
    case 'renormalised':
      return renormalisedFormula(context, i, j);
    default:
      return rowFormula(context, i);
  }
}

/** @param {string} letter @param {number} i @param {number} j @param {string} [role] an entry such as A₂₁ */
const entry = (letter, i, j, role) => symbol(letter, role, i < 9 && j < 9 ? `${i + 1}${j + 1}` : `${i + 1},${j + 1}`);

/** @param {number} value */
const weight = (value) => number(weightText(value), 'weight');

/** @param {number} score */
const scoreText = (score) => (Number.isInteger(score) ? formatGiven(score) : formatNumber(score, 2));

/** The row of scores as the softmax sees it. @param {MaskContext} context @param {number} i */
const maskedScores = ({ result }, i) => result.scores[i].map((score, j) => (result.allow[i][j] ? scoreText(score) : HIDDEN));

const comma = mathml`<mo separator="true">,</mo>`;

/**
 * What the width has no room for is left out: from every run of hidden entries all but the first, then that too, then the middle.
 * @template T
 * @param {readonly T[]} items @param {number} width  of the figure @param {T} dots
 * @param {(item: T) => boolean} hidden
 * @returns {T[]}
 */
export function abridged(items, width, dots, hidden) {
  const most = Math.max(4, Math.floor(width / 70));
  if (items.length <= most) return [...items];
  const follows = (/** @type {number} */ at) => at > 0 && hidden(items[at]) && hidden(items[at - 1]);
  const firsts = items.flatMap((item, at) => (!follows(at) ? [item] : follows(at - 1) ? [] : [dots]));
  if (firsts.length <= most) return firsts;
  const open = items.flatMap((item, at) => (!hidden(item) ? [item] : follows(at) ? [] : [dots]));
  return open.length <= most ? open : [...open.slice(0, most - 2), dots, open[open.length - 1]];
}

const DOTS = '⋯';

/** @param {readonly string[]} items @param {(item: string) => Math} write @param {number} width @param {Math} [between] @returns {Math[]} */
const series = (items, write, width, between = sign('+')) =>
  abridged(items, width, DOTS, (item) => item === HIDDEN || item === '0').flatMap((item, at) => [...(at ? [between] : []), item === DOTS ? sign(DOTS) : write(item)]);

/** @param {Math | readonly Math[]} above @param {Math | readonly Math[]} below  a fraction with parts of full size */
const large = (above, below) => mathml`<mstyle displaystyle="true">${fraction(above, below)}</mstyle>`;

/** @param {string} score */
const power = (score) => exponential(number(score));

/** @param {readonly string[]} scores @param {number} j @param {number} width */
const softmaxOf = (scores, j, width) => large(power(scores[j]), series(scores, power, width));

/** A₂ = softmax(S₂ + M₂) = … @param {MaskContext} context @param {number} i */
function rowFormula(context, i) {
  const { result, text, width } = context;
  const inside = series(maskedScores(context, i), number, width, comma);
  const left = [symbol('A', 'weight', i + 1), sign('='), word('softmax'), mathml`<mrow><mo stretchy="false">(</mo>${inside}<mo stretchy="false">)</mo></mrow>`];
  const weights = [sign('='), vector(abridged(result.weights[i].map(weightText), width, DOTS, (item) => item === '0').map((item) => (item === DOTS ? sign(DOTS) : number(item))), 'weight')];
  return visibleKeys(result, i).length > 0 ? formula(left, weights) : formula(left, [sign('='), large(number('0'), number('0'))], [sign('→'), word(text('mask.chosen'))], weights);
}

/** @param {MaskContext} context @param {number} i @param {number} j */
function scoreFormula({ state, result, text }, i, j) {
  const score = result.scores[i][j];
  if (typeof state.scores !== 'string' && state.replaced !== j + 1) return formula([entry('S', i, j), sign('='), number(scoreText(score))], [word(text('mask.scoreGiven'))]);
  const size = shown({ state, result });
  const made = inputs(state, size);
  const { q, k, scale } = state.replaced === null ? made : replaceToken(made, state.replaced);
  const dot = mathml`${symbol('q', 'query', i + 1)}<mo>·</mo>${symbol('k', 'key', j + 1)}`;
  const products = q[i].flatMap((x, at) => [...(at ? [sign('+')] : []), mathml`${factor(x, 'query')}<mo>·</mo>${factor(k[j][at], 'key')}`]);
  const scaled = (/** @type {Math | Math[]} */ above) => (scale === undefined ? large(above, root(given(q[i].length))) : mathml`<mrow>${above}</mrow>`);
  return formula([entry('S', i, j), sign('='), scaled(dot), sign('=')], [scaled(products), sign('='), number(scoreText(score))]);
}

/** @param {MaskContext} context @param {number} i @param {number} j */
function maskFormula(context, i, j) {
  const { state, result } = context;
  const allowed = result.allow[i][j];
  const score = number(scoreText(result.scores[i][j]));
  const seen = allowed ? score : number(HIDDEN);
  const because = word(`: ${why(context, i, j)}`);
  const gap = word('\u2003');
  if (state.notation !== 'signs') {
    const bit = number(allowed === (state.notation === 'allow') ? '1' : '0');
    return formula([entry('M', i, j), sign('='), bit, because], [gap, entry('S', i, j), sign('='), score, sign('→'), seen]);
  }
  const added = number(allowed ? '0' : HIDDEN);
  return formula([entry('M', i, j), sign('='), added, because],
    [gap, entry('S', i, j), sign('+'), entry('M', i, j), sign('='), score, sign('+'), mathml`<mrow><mo>(</mo>${added}<mo>)</mo></mrow>`, sign('='), seen]);
}

/** @param {MaskContext} context @param {number} i @param {number} j */
function weightFormula(context, i, j) {
  const { result, text, width } = context;
  const value = result.weights[i][j];
  if (visibleKeys(result, i).length === 0) {
    return formula([entry('A', i, j, 'weight'), sign('='), softmaxOf(maskedScores(context, i), j, width)],
      [sign('='), large(number('0'), number('0')), sign('→'), word(text('mask.chosen')), weight(value)]);
  }
  const percents = Number.isFinite(value) ? formatPercents(result.weights[i])[j] : '';
  return formula(
    [entry('A', i, j, 'weight'), sign('='), softmaxOf(maskedScores(context, i), j, width), sign('='), weight(value)],
    ...(percents ? [[word(text('mask.exactly', { percent: percents, exact: formatExact(value) }))]] : []),
  );
}

/** @param {number[]} weights @param {number} sum @param {number} i @param {number} width @param {string} [letter] */
function sumFormula(weights, sum, i, width, letter = 'A') {
  const sigma = mathml`<munder><mo largeop="false">Σ</mo><mi>j</mi></munder>`;
  return formula([sigma, symbol(letter, 'weight', `${i + 1}j`), sign('=')], [...series(weights.map(weightText), (text) => number(text, 'weight'), width), sign('='), number(sumText(sum))]);
}

/** @param {MaskContext} context @param {number} i */
function outputFormula({ result, width }, i) {
  const { weights, values, output } = result;
  const products = abridged([...weights[i].keys()].map(String), width, DOTS, (j) => weights[i][Number(j)] === 0)
    .flatMap((j, at) => [...(at ? [sign('+')] : []), j === DOTS ? sign(DOTS) : mathml`${weight(weights[i][Number(j)])}<mo>·</mo>${factor(values[Number(j)][0], 'value')}`]);
  return formula([symbol('O', 'output', i + 1), sign('='), mathml`<munder><mo largeop="false">Σ</mo><mi>j</mi></munder>`, symbol('A', 'weight', `${i + 1}j`), symbol('v', 'value', 'j'), sign('=')],
    [...products, sign('='), number(outputText(output[i][0]), 'output')]);
}

/** @param {MaskContext} context @param {number} i @param {number} j */
function zeroedFormula({ result, text }, i, j) {
  const value = result.compared?.zeroed[i][j] ?? NaN;
  const before = result.compared?.softmax[i][j] ?? NaN;
  return formula([entry('Z', i, j, 'weight'), sign('='), weight(value)], [word(text(result.allow[i][j] ? 'mask.kept' : 'mask.thrownAway', { weight: weightText(before) }))]);
}

/** @param {MaskContext} context @param {number} i @param {number} j */
function renormalisedFormula({ result, text }, i, j) {
  if (!result.compared) return formula([]);
  const { zeroed, rowSums, renormalised, sameAsMasked } = result.compared;
  return formula([large(weight(zeroed[i][j]), number(weightText(rowSums[i]))), sign('='), weight(renormalised[i][j])],
    ...(sameAsMasked ? [[word(text('mask.sameAs')), entry('A', i, j, 'weight'), sign('='), weight(result.weights[i][j])]] : []));
}
