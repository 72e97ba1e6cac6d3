import { html, nothing } from '../view/lit.js';
import { sentence } from '../view/refusal.js';
import { formatExact } from '../view/format.js';

/**
 * What stands around every figure, top to bottom: head, figure, controls, one line that explains, what is rarely needed, problem,
 * toolbar; and for screen readers a summary and the tables.
 * @param {object} content
 * @param {import('./element.js').Context<any, any>} content.context
 * @param {import('./state-element.js').Problem | undefined} content.problem
 * @param {import('../view/part-focus.js').PartFocus} content.parts
 * @param {import('../view/grid-focus.js').GridFocus} content.grids
 * @param {() => void} content.retry
 * @param {number} content.height
 * @param {string} content.title
 * @param {unknown} content.head
 * @param {unknown} content.figure
 * @param {unknown} content.controls
 * @param {unknown} content.explanation
 * @param {unknown} content.more
 * @param {string} content.summary
 * @param {string} content.spoken
 * @param {import('./element.js').Table[]} content.tables
 * @param {unknown} content.toolbar
 */
export function frameTemplate({ context, problem, parts, grids, retry, height, title, head, figure, controls, explanation, more, summary, spoken, tables, toolbar }) {
  const { text } = context;
  const failed = problem?.name === 'engine';
  /** @param {FocusEvent} event */
  const focusin = (event) => { parts.focusin(event); grids.focusin(event); };
  /** @param {KeyboardEvent} event */
  const keydown = (event) => { parts.keydown(event); grids.keydown(event); };
  return html`
    <div role="group" class="frame ${context.theme} ${context.wide ? 'wide' : 'narrow'}" lang=${context.locale} aria-label=${title}>
      ${head ? html`<div class="head">${head}</div>` : nothing}
      <div
        class="figure" .style=${`min-height: ${failed ? 0 : height}px`}
        @pointerover=${parts.pointerover} @pointerleave=${parts.pointerleave} @pointerdown=${parts.pointerdown}
        @click=${parts.click} @focusin=${focusin} @focusout=${parts.focusout} @keydown=${keydown}
      >${figure ?? (failed ? html`<slot></slot>` : html`<p class="muted">${text('common.loading')}</p>`)}</div>
      ${controls ? html`<div class="controls">${controls}</div>` : nothing}
      ${explanation ? html`<div class=${context.part === null ? 'explanation' : 'explanation shown'}>${explanation}${parts.kept ? html`<button type="button" class="close" aria-label=${text('common.close')} @click=${parts.clear}>×</button>` : nothing}</div>` : nothing}
      ${more ?? nothing}
      ${problem ? html`
        <p class="problem" role="alert">
          ${failed ? engineSentence(problem.error, text) : sentence(problem.error, text)}
          ${failed ? html`<button type="button" @click=${retry}>${text('common.retry')}</button>` : nothing}
        </p>` : nothing}
      ${toolbar}
      <div class="unseen">
        <p id="summary">${summary}</p>
        <p role="status">${spoken}</p>
        ${tables.map((table) => tableTemplate(table))}
      </div>
    </div>`;
}

/** Why there is no figure: in the reader's language for what a reader can meet, else in the engine's words. @param {unknown} error @param {import('../locales/index.js').Translate} text */
function engineSentence(error, text) {
  const code = /** @type {{ code?: unknown }} */ (error).code;
  return text('common.engineFailed', { reason: code === 'unsupported' || code === 'fetch' ? text(`common.engine.${code}`) : sentence(error, text) });
}

/** @param {import('./element.js').Table} table */
function tableTemplate({ name, columns, rows }) {
  return html`
    <table>
      <caption>${name}</caption>
      <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${typeof cell === 'number' ? formatExact(cell) : cell}</td>`)}</tr>`)}</tbody>
    </table>`;
}
