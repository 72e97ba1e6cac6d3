import { css, html } from './lit.js';

/**
 * A choice of one among a few, as one row of joined buttons; native radio buttons, so the arrow keys work.
 * @param {object} options
 * @param {string} options.name  unique in the element, and not shown
 * @param {string} options.label  what screen readers say
 * @param {readonly { value: string, label: string, title?: string }[]} options.choices
 * @param {string} options.value
 * @param {(value: string) => void} options.change
 */
export function segmented({ name, label, choices, value, change }) {
  return html`
    <div class="segmented" role="radiogroup" aria-label=${label}>
      ${choices.map((choice) => html`
        <label title=${choice.title ?? ''}>
          <input type="radio" name=${name} value=${choice.value} .checked=${choice.value === value} @change=${() => change(choice.value)}>
          <span>${choice.label}</span>
        </label>`)}
    </div>`;
}

export const segmentedStyles = css`
  .segmented { display: inline-flex; flex-wrap: wrap; row-gap: 4px; }
  .segmented label { position: relative; margin-inline-start: -1px; }
  .segmented input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
  .segmented span { display: block; padding: 3px 10px; border: 1px solid var(--line); color: var(--muted); white-space: nowrap; }
  .segmented label:first-child span { border-start-start-radius: 3px; border-end-start-radius: 3px; }
  .segmented label:last-child span { border-start-end-radius: 3px; border-end-end-radius: 3px; }
  .segmented input:hover + span { color: var(--ink); }
  .segmented input:checked + span { background: var(--ink); border-color: var(--ink); color: var(--surface); }
  .segmented input:focus-visible + span { outline: 2px solid var(--query); outline-offset: 2px; }
`;
