import { css, html } from './lit.js';

/**
 * A small whole number with a button on either side.
 * @param {object} options
 * @param {string} options.label
 * @param {number} options.value @param {number} options.min @param {number} options.max
 * @param {string} options.less @param {string} options.more  what the buttons do, for screen readers
 * @param {(value: number) => void} options.change
 * @param {string} [options.shown]  instead of the bare number
 * @param {[string, string]} [options.signs]  on the buttons
 */
export function counter({ label, value, min, max, less, more, change, shown = String(value), signs = ['−', '+'] }) {
  /** @param {string} name @param {string} sign @param {number} to */
  const button = (name, sign, to) => html`
    <button type="button" aria-label=${name} title=${name} aria-disabled=${to < min || to > max} @click=${() => { if (to >= min && to <= max) change(to); }}>${sign}</button>`;
  return html`
    <div class="counter" role="group" aria-label=${label}>
      <span class="counter-label">${label}</span>
      ${button(less, signs[0], value - 1)}<output dir="ltr">${shown}</output>${button(more, signs[1], value + 1)}
    </div>`;
}

export const counterStyles = css`
  .counter { display: inline-flex; align-items: center; gap: var(--gap-1); white-space: nowrap; }
  .counter-label { margin-inline-end: var(--gap-1); color: var(--muted); }
  .counter output { min-inline-size: 2ch; text-align: center; }
  .counter button {
    box-sizing: border-box;
    inline-size: 28px;
    block-size: 28px;
    border: 1px solid var(--line);
    border-radius: 3px;
    color: var(--ink);
    line-height: 1;
  }
  .counter button:hover { border-color: var(--ink); }
  .counter button[aria-disabled='true'] { border-color: var(--grid); color: var(--muted); cursor: default; }
`;
