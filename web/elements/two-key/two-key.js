import { html } from '../../view/lit.js';
import { formatNumber, formatPercents, formatVector } from '../../view/format.js';
import { refusal } from '../../view/refusal.js';
import { slider } from '../../view/slider.js';
import { AttnElement } from '../element.js';
import { flagsField, numberField, rowsField, vectorField } from '../fields.js';
import { explainTwoKey } from './explain.js';
import { twoKeyFigure } from './figure.js';
import { layout } from './layout.js';
import { queryScale } from './query-plane.js';
import { twoKeyStyles } from './styles.js';

/**
 * @typedef {object} TwoKeyState
 * @property {number[]} q
 * @property {number[][]} keys
 * @property {number[][]} values
 * @property {number} temperature  0 means the limit
 * @property {boolean[] | null} allowKeys  true: may be attended; null: all may
 */

/**
 * @typedef {object} TwoKeyResult
 * @property {number[]} scores  q·k/√2; −Infinity where masked
 * @property {number[]} weights
 * @property {number[]} output
 * @property {number} weightSum
 * @property {number[]} dots  q·k
 * @property {{ queryLength: number, keyLengths: number[], angles: number[] }} geometry  angles in radians, NaN at zero vectors
 */

/** @typedef {import('../element.js').Context<TwoKeyState, TwoKeyResult>} TwoKeyContext */

const LARGEST = 1e6;
const MOST_KEYS = 12;
const COLDEST = 0.01;
const HOTTEST = 100;

/** One query, two keys, two values: the worked example of attention. More keys can be given. */
export class AttnTwoKey extends AttnElement {
  static tag = 'attn-two-key';
  static titleKey = 'twoKey.title';
  static controlNames = ['q', 'temperature', 'toolbar'];
  static schema = {
    q: vectorField({ attribute: 'q', default: [1, 0], width: 2, limit: LARGEST }),
    keys: rowsField({ attribute: 'keys', default: [[1, 0], [0, 1]], width: 2, min: 1, max: MOST_KEYS, limit: LARGEST }),
    values: rowsField({ attribute: 'values', default: [[2, 0], [0, 4]], width: 2, min: 1, max: MOST_KEYS, limit: LARGEST }),
    temperature: numberField({ attribute: 'temperature', default: 1, min: 0, max: HOTTEST }),
    allowKeys: flagsField({ attribute: 'allow-keys', default: null }),
  };

  /** @type {import('lit').CSSResultGroup} */
  static styles = [AttnElement.styles, twoKeyStyles];

  /**
   * @param {import('../engine.js').Engine} engine
   * @param {TwoKeyState} state
   * @returns {TwoKeyResult}
   */
  compute(engine, { q, keys, values, temperature, allowKeys }) {
    if (values.length !== keys.length) throw refusal('twoKey.valuesCount', { keys: keys.length, got: values.length });
    if (allowKeys && allowKeys.length !== keys.length) throw refusal('twoKey.allowCount', { keys: keys.length, got: allowKeys.length });
    if (temperature !== 0 && temperature < COLDEST) throw refusal('twoKey.tooCold', { min: COLDEST, max: HOTTEST, got: temperature });
    const mask = allowKeys ? { allowKeys } : {};
    const { queryLength, keyLengths, dots, angles } = engine.geometry(q, keys);
    const row = (/** @type {object} */ options) => {
      const { output, weights, scores } = engine.reference.attention([q], keys, values, { ...options, returnWeights: true, returnScores: true });
      return [output, weights, scores].map((tensor) => [.../** @type {NonNullable<typeof tensor>} */ (tensor).data]);
    };
    const [, , scores] = row(mask);
    const [output, weights] = row(temperature === 0 ? limit(scores) : { ...mask, scale: 1 / (Math.SQRT2 * temperature) });
    const [weightSum] = engine.rowSums([weights]).data;
    return { scores, weights, output, weightSum, dots: [...dots.data], geometry: { queryLength, keyLengths: [...keyLengths.data], angles: [...angles.data] } };
  }

  /** @param {TwoKeyContext} context */
  figure(context) {
    return twoKeyFigure(context);
  }

  /** @param {TwoKeyContext} context */
  figureHeight({ width, state }) {
    return layout(width, state.keys.length).height;
  }

  /** The temperature is a control where the page speaks of it. @param {TwoKeyState} given */
  defaultControls(given) {
    return this.hasAttribute('temperature') || given.temperature !== 1 ? ['q', 'temperature', 'toolbar'] : ['q', 'toolbar'];
  }

  /** @param {TwoKeyContext} context */
  controlsTemplate(context) {
    const { state, text, change, shows } = context;
    const coordinate = (/** @type {0 | 1} */ axis) => slider({
      label: html`<math><msub><mi>q</mi><mn>${axis + 1}</mn></msub></math>`,
      name: text('twoKey.coordinate', { index: axis + 1 }),
      role: 'query',
      value: state.q[axis],
      scale: queryScale(context),
      text,
      change: (value) => change({ q: state.q.map((part, index) => (index === axis ? value : part)) }),
    });
    const temperature = () => slider({
      label: html`<math><mi>T</mi></math>`,
      name: text('twoKey.temperature'),
      role: 'weight',
      value: state.temperature,
      scale: { min: 0, max: Math.max(4, Math.ceil(state.temperature)), step: 0.05 },
      text,
      change: (value) => change({ temperature: value }),
    });
    if (!shows('q') && !shows('temperature')) return null;
    return html`${shows('q') ? [coordinate(0), coordinate(1)] : ''}${shows('temperature') ? temperature() : ''}`;
  }

  /** @param {string | null} part @param {TwoKeyContext} context */
  explain(part, context) {
    return explainTwoKey(part, context);
  }

  /** @param {TwoKeyContext} context */
  summary({ state, result, text }) {
    const percents = formatPercents(result.weights);
    const weights = result.weights.map((_, key) => text('twoKey.weightOf', { key: key + 1, percent: percents[key] })).join(text('twoKey.listComma'));
    return text('twoKey.summary', { query: formatVector(state.q), weights, output: formatVector(result.output), scores: result.scores.map((score) => formatNumber(score)).join(', ') });
  }

  /** @param {{ state: TwoKeyState, result: TwoKeyResult }} picture @returns {import('../element.js').Table[]} */
  tables({ state, result }) {
    const row = (/** @type {string} */ name, /** @type {number[]} */ [x, y], /** @type {(number | null)[]} */ ...rest) => [name, x, y, ...rest];
    return [{
      name: 'attention',
      columns: ['vector', 'x', 'y', 'dot', 'score', 'weight'],
      rows: [
        row('q', state.q, null, null, null),
        ...state.keys.map((key, index) => row(`k${index + 1}`, key, result.dots[index], result.scores[index], result.weights[index])),
        ...state.values.map((value, index) => row(`v${index + 1}`, value, null, null, result.weights[index])),
        row('output', result.output, null, null, null),
      ],
    }];
  }
}

/**
 * Temperature 0: all weight on the largest score, in equal parts on several. The engine divides by making all
 * scores equal (scale 0) and allowing those keys only.
 * @param {readonly number[]} scores  −Infinity where masked
 */
function limit(scores) {
  const largest = Math.max(...scores);
  return { scale: 0, allowKeys: scores.map((score) => score === largest && score !== -Infinity) };
}
