import { html } from '../../view/lit.js';
import { formatNumber, formatPercents, formatVector } from '../../view/format.js';
import { slider } from '../../view/slider.js';
import { AttnElement } from '../element.js';
import { compute } from './compute.js';
import { explainTwoKey } from './explain.js';
import { twoKeyFigure } from './figure.js';
import { layout } from './layout.js';
import { queryScale } from './query-plane.js';
import { schema } from './schema.js';
import { twoKeyStyles } from './styles.js';

/** @typedef {import('./schema.js').TwoKeyState} TwoKeyState */
/** @typedef {import('./compute.js').TwoKeyResult} TwoKeyResult */
/** @typedef {import('../element.js').Context<TwoKeyState, TwoKeyResult>} TwoKeyContext */

/** One query, two keys, two values: the worked example of attention. More keys can be given. */
export class AttnTwoKey extends AttnElement {
  static tag = 'attn-two-key';
  static titleKey = 'twoKey.title';
  static controlNames = ['q', 'temperature', 'toolbar'];
  static schema = schema;

  /** @type {import('lit').CSSResultGroup} */
  static styles = [AttnElement.styles, twoKeyStyles];

  /** @param {import('../engine.js').Engine} engine @param {TwoKeyState} state */
  compute(engine, state) {
    return compute(engine, state);
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
