import { translator } from '../../locales/index.js';
import { formulaStyles } from '../../view/formula.js';
import { AttnElement } from '../element.js';
import { localeOf } from '../surroundings.js';
import { compute } from './compute.js';
import { controlStyles, head, more, stepper } from './controls.js';
import { figure, figureStyles, place } from './figure.js';
import { explain } from './formulas.js';
import { litCell } from './parts.js';
import { schema } from './schema.js';
import { tables } from './tables.js';
import { rowSentence } from './words.js';

/** @typedef {import('./figure.js').MaskContext} MaskContext */

/** Scores, mask and weights row by row: who may look at whom, and how the weights fall. */
export class AttnMask extends AttnElement {
  static tag = 'attn-mask';
  static titleKey = 'mask.title';
  static schema = schema;
  static controlNames = ['presets', 'size', 'rows', 'more', 'toolbar'];
  static styles = [super.styles, figureStyles, controlStyles, formulaStyles];

  /** @param {import('../engine.js').Engine} engine @param {import('./schema.js').MaskState} state */
  compute(engine, state) { return compute(engine, state); }

  /** @param {MaskContext} context @returns {unknown} */
  headTemplate(context) { return head(context); }

  /** @param {MaskContext} context @returns {unknown} */
  figure(context) { return figure(context); }

  /** @param {MaskContext} context @returns {unknown} */
  controlsTemplate(context) { return stepper(context); }

  /** @param {string | null} part @param {MaskContext} context @returns {unknown} */
  explain(part, context) { return explain(part, context); }

  /** @param {MaskContext} context @returns {unknown} */
  moreTemplate(context) { return more(context); }

  /** @param {MaskContext} context */
  figureHeight(context) {
    return place(context).height;
  }

  /** @param {MaskContext} context */
  summary(context) {
    const { text, state } = context;
    return `${text(`mask.presetTitle.${state.mask}`)}${text('mask.sentenceGap')}${rowSentence(context, litCell(context).row)}`;
  }

  /** @param {{ state: import('./schema.js').MaskState, result: import('./compute.js').MaskResult }} picture */
  tables(picture) {
    return tables({ ...picture, text: translator(localeOf(this)) });
  }
}
