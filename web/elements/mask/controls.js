// What the reader can set: presets over the figure, the stepper under it, and the rest behind "more".

import { counter, counterStyles } from '../../view/counter.js';
import { css, html, nothing } from '../../view/lit.js';
import { segmented, segmentedStyles } from '../../view/segmented.js';
import { litCell } from './parts.js';
import { PRESETS, realKeys } from './rules.js';
import { MOST } from './schema.js';
import { resized } from './size.js';
import { list, queryName, rowSentence, sentenceStart, shown } from './words.js';

/** @typedef {import('./figure.js').MaskContext} MaskContext */

/** Presets, the number of tokens, and what the chosen preset leaves open. @param {MaskContext} context */
export function head(context) {
  const { state, text, change, shows } = context;
  const size = shown(context);
  /** @param {string} mask */
  const choose = (mask) => change(mask === 'own' && !fits(state.allow, size) ? { mask, causal: false, allow: context.result?.allow ?? null } : { mask: /** @type {any} */ (mask) });
  return html`<div class="mask-head">
    ${shows('presets') ? segmented({
      name: 'mask', label: text('mask.presets'), value: state.mask, change: choose,
      choices: PRESETS.map((value) => ({ value, label: text(`mask.preset.${value}`), title: text(`mask.presetTitle.${value}`) })),
    }) : nothing}
    ${shows('size') ? sizeCounters(context) : nothing}
    ${shows('presets') ? parameter(context) : nothing}
  </div>`;
}

/** @param {boolean[][] | null} allow @param {import('./rules.js').Size} size */
const fits = (allow, { queries, keys }) => allow?.length === queries && allow[0].length === keys;

/** @param {MaskContext} context */
function sizeCounters(context) {
  const { state, text, change } = context;
  const size = shown(context);
  /** @param {string} label @param {number} value @param {(to: number) => import('./rules.js').Size} to */
  const count = (label, value, to) => counter({
    label: text(label), value, min: 1, max: MOST, less: text(`${label}Less`), more: text(`${label}More`), change: (next) => change(resized(state, to(next))),
  });
  if (size.queries === size.keys) return count('mask.tokens', size.keys, (n) => ({ queries: n, keys: n }));
  return html`${count('mask.queries', size.queries, (queries) => ({ ...size, queries }))}${count('mask.keysCount', size.keys, (keys) => ({ ...size, keys }))}`;
}

/** @param {MaskContext} context */
function parameter(context) {
  const { state, text, change } = context;
  const size = shown(context);
  /** @param {'window' | 'block' | 'length'} name @param {number} value @param {number} min @param {number} max */
  const one = (name, value, min, max) => counter({
    label: text(`mask.${name}`), value, min, max, less: text(`mask.${name}Less`), more: text(`mask.${name}More`), change: (next) => change({ [name]: next }),
  });
  const parts = {
    padding: () => one('length', realKeys(state, size), 0, size.keys),
    window: () => one('window', state.window, 1, Math.max(size.keys, state.window)),
    block: () => one('block', state.block, 1, Math.max(size.keys, state.block)),
  };
  const main = /** @type {Record<string, () => unknown>} */ (parts)[state.mask]?.() ?? nothing;
  if (!['padding', 'window', 'block', 'graph'].includes(state.mask)) return nothing;
  return html`${main}<label class="check"><input type="checkbox" .checked=${state.causal}
    @change=${(/** @type {Event} */ event) => change({ causal: /** @type {HTMLInputElement} */ (event.target).checked })}>${text('mask.andCausal')}</label>`;
}

/** The stepper with its sentence, and the choice that an empty row asks for. @param {MaskContext} context */
export function stepper(context) {
  const { state, result, text, change, shows, width } = context;
  const { queries } = shown(context);
  // A mask that is given row by row shows before the result whether one is empty: the question then has its place from the start.
  const empty = emptyRow(result?.allow ?? (state.mask === 'own' && state.allow ? state.allow : []));
  return html`
    ${shows('rows') ? html`<div class="stepper ${width < 480 || (state.mask === 'padding' && width < 860) ? 'narrow' : width < 860 || state.mask === 'padding' ? 'middle' : ''}">
      ${counter({
        label: text('mask.row'), value: Math.min(state.row, queries), min: 1, max: queries, shown: `${Math.min(state.row, queries)} / ${queries}`,
        signs: ['‹', '›'], less: text('mask.rowLess'), more: text('mask.rowMore'), change: (next) => change({ row: next }),
      })}
      <p class="sentence">${result ? rowSentence(context, litCell(context).row).replace(/(\d) %/g, '$1\u00a0%') : '\u00a0'}</p>
    </div>` : nothing}
    ${empty >= 0 && shows('rows') ? html`<div class="empty-rows"><p>${text('mask.emptyNotice', { query: queryName(context, empty), Query: sentenceStart(queryName(context, empty)) })}</p>${emptyRows(context)}</div>` : nothing}`;
}

/** The first query that may look at nothing, or −1. @param {readonly (readonly boolean[])[]} allow */
const emptyRow = (allow) => allow.findIndex((row) => !row.includes(true));

/** @param {MaskContext} context */
function emptyRows({ state, text, change }) {
  return html`${segmented({
    name: 'empty-rows', label: text('mask.emptyRows'), value: state.emptyRows, change: (choice) => change({ emptyRows: /** @type {any} */ (choice) }),
    choices: ['zero', 'nan', 'uniform'].map((value) => ({ value, label: text(`mask.emptyRows.${value}`) })),
  })}<p class="aside">${text(`mask.emptyAside.${state.emptyRows}`)}</p>`;
}

/** Everything that is not needed at first sight. @param {MaskContext} context */
export function more(context) {
  const { result, text, shows, width } = context;
  if (!shows('more')) return nothing;
  return html`<details class="more ${width < 480 ? 'narrow' : ''}"><summary>${text('mask.more')}</summary>
    ${result ? lines(context) : nothing}
  </details>`;
}

/** @param {MaskContext} context */
function lines(context) {
  const { state, result, text, change } = context;
  /** @param {string} label @param {unknown} control @param {unknown} aside */
  const line = (label, control, aside) => html`<div class="line"><span class="line-label">${text(label)}</span><div>${control}<p class="aside">${aside}</p></div></div>`;
  const own = typeof state.scores !== 'string' ? [{ value: 'own', label: text('mask.scores.own') }] : [];
  return html`
    ${line('mask.scoresLabel', html`${segmented({
      name: 'scores', label: text('mask.scoresLabel'), value: typeof state.scores === 'string' ? state.scores : 'own',
      change: (value) => { if (value !== 'own') change({ scores: /** @type {any} */ (value) }); },
      choices: [{ value: 'zero', label: text('mask.scores.zero') }, { value: 'random', label: text('mask.scores.random') }, ...own],
    })}${state.scores === 'random' ? html`<button type="button" class="action" @click=${() => change({ seed: (state.seed + 1) % 4294967296 })}>${text('mask.reseed')}</button>` : nothing}`,
    text(`mask.scoresAside.${typeof state.scores === 'string' ? state.scores : 'own'}`, { seed: state.seed }))}
    ${line('mask.notationLabel', segmented({
      name: 'notation', label: text('mask.notationLabel'), value: state.notation, change: (notation) => change({ notation: /** @type {any} */ (notation) }),
      choices: ['signs', 'allow', 'drop'].map((value) => ({ value, label: text(`mask.notation.${value}`) })),
    }), text(`mask.notationAside.${state.notation}`))}
    ${line('mask.order', segmented({
      name: 'compare', label: text('mask.order'), value: String(state.compare), change: (value) => change({ compare: value === 'true' }),
      choices: [{ value: 'false', label: text('mask.order.before') }, { value: 'true', label: text('mask.order.after') }],
    }), text(`mask.orderAside.${state.compare}`))}
    ${line('mask.content', replaceButton(context), replaceAside(context))}
    ${emptyRow(result.allow) < 0 ? line('mask.emptyRows', emptyRows(context), nothing) : nothing}`;
}

/** The token the button replaces: one that the lit row may not look at, if there is any. @param {MaskContext} context */
function candidate(context) {
  const { allow } = context.result;
  const hidden = allow[litCell(context).row].indexOf(false);
  if (hidden >= 0) return hidden + 1;
  const anywhere = allow[0].findIndex((_, j) => allow.some((row) => !row[j]));
  return (anywhere >= 0 ? anywhere : allow[0].length - 1) + 1;
}

/** @param {MaskContext} context */
function replaceButton(context) {
  const { state, text, change } = context;
  const token = state.replaced ?? candidate(context);
  return html`<button type="button" class="action" aria-pressed=${state.replaced !== null}
    @click=${() => change({ replaced: state.replaced === null ? token : null })}>${text(state.replaced === null ? 'mask.replace' : 'mask.putBack', { token })}</button>`;
}

/** @param {MaskContext} context */
function replaceAside(context) {
  const { state, result, text } = context;
  const token = state.replaced;
  if (token === null || !result.before) return text('mask.replaceAside');
  const { same } = result.before;
  const outputs = (/** @type {string} */ sentence, /** @type {boolean} */ wanted) => {
    const rows = same.flatMap((kept, i) => (kept === wanted ? [String(i + 1)] : []));
    return rows.length === 0 ? [] : [text(`${sentence}.${rows.length === 1 ? 'one' : 'many'}`, { rows: list(text, rows) })];
  };
  return [text('mask.replacedAside', { token }), ...outputs('mask.replacedSame', true), ...outputs('mask.replacedOther', false)].join(text('mask.sentenceGap'));
}

export const controlStyles = [counterStyles, segmentedStyles, css`
  .mask-head { display: flex; flex-wrap: wrap; align-items: center; gap: var(--gap-2) var(--gap-4); margin-block-end: var(--gap-3); }
  .check { display: inline-flex; align-items: center; gap: var(--gap-2); min-block-size: 28px; color: var(--muted); cursor: pointer; }
  .check input { inline-size: 16px; block-size: 16px; margin: 0; accent-color: var(--ink); }
  .sentence, .aside, .line-label, .empty-rows p, .mask-head .counter-label, .check, .action, .segmented span { unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent; }
  .stepper { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--gap-2) var(--gap-4); }
  .stepper output { min-inline-size: 6ch; }
  .sentence { flex: 1 1 280px; min-block-size: 1.5em; margin: 0; font-size: var(--text-large); }
  .middle .sentence { min-block-size: 3em; }
  .stepper.narrow .sentence { min-block-size: 4.5em; }
  .empty-rows { margin-block-start: var(--gap-2); padding-inline-start: var(--gap-2); border-inline-start: 2px solid var(--problem); }
  .empty-rows p { margin: 0 0 var(--gap-2); }
  .explanation { min-block-size: 73px; }
  .more { margin-block-start: var(--gap-2); }
  .more > summary { color: var(--muted); font-size: var(--text-small); }
  .more > summary::before { content: '▸'; display: inline-block; inline-size: 1.2em; }
  .more[open] > summary::before { content: '▾'; }
  .line { display: grid; grid-template-columns: minmax(88px, 120px) 1fr; gap: var(--gap-1) var(--gap-3); align-items: baseline; padding-block: var(--gap-2); border-block-start: 1px solid var(--grid); }
  .line-label { color: var(--muted); }
  .aside { margin: var(--gap-1) 0 0; max-inline-size: 64ch; color: var(--muted); font-size: var(--text-small); }
  .aside:empty { display: none; }
  .action { padding: 3px 10px; margin-inline-end: var(--gap-2); border: 1px solid var(--line); border-radius: 3px; color: var(--ink); }
  .action:hover { border-color: var(--ink); }
  .segmented + .action { margin-inline-start: var(--gap-2); }
  .narrow .segmented span { padding-inline: 8px; }
  .narrow .line { grid-template-columns: 1fr; }
  @media print {
    .head, .more, .counter, .segmented, .aside { display: none; }
    .controls { display: block; }
  }
`];
