import { css, html } from './lit.js';
import { formatGiven } from './format.js';
import { numberField } from './number-field.js';
import { keyedValue, snap } from './slider-value.js';

/**
 * A label, a slider and a field for the same number. Any value within the bounds can be typed; the slider itself goes
 * by the step and reaches both ends.
 * @param {object} options
 * @param {unknown} options.label  what is seen, such as q₁
 * @param {string} options.name  what screen readers say
 * @param {import('./theme.css.js').ColorName} options.role  gives the colour
 * @param {number} options.value
 * @param {import('./slider-value.js').Scale} options.scale
 * @param {import('../locales/index.js').Translate} options.text
 * @param {(value: number) => void} options.change
 */
export function slider({ label, name, role, value, scale, text, change }) {
  /** @param {InputEvent} event */
  const input = (event) => {
    const range = /** @type {HTMLInputElement} */ (event.target);
    if (waiting.has(range)) {
      range.value = String(value);
      return;
    }
    const next = snap(Number(range.value), scale);
    range.value = String(next);
    change(next);
  };
  /** @param {KeyboardEvent} event */
  const keydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const range = /** @type {HTMLInputElement} */ (event.target);
    const next = keyedValue(event.key, value, scale, getComputedStyle(range).direction === 'rtl');
    if (next === null) return;
    event.preventDefault();
    change(next);
  };
  return html`
    <div class="slider ${role}">
      <span class="label" aria-hidden="true">${label}</span>
      <input type="range" min=${scale.min} max=${scale.max} step="any" .value=${String(value)} aria-label=${name} aria-valuetext=${formatGiven(value)}
        @input=${input} @keydown=${keydown} @pointerdown=${touchStart} @pointermove=${touchMove} @pointercancel=${touchEnd}
        @pointerup=${(/** @type {PointerEvent} */ event) => {
          const tapped = waiting.has(/** @type {HTMLInputElement} */ (event.target)) ? valueAt(event, scale) : null;
          touchEnd(event);
          if (tapped !== null) change(tapped);
        }}>
      ${numberField({ name: text('common.exactValue', { name }), value, scale, text, change })}
    </div>`;
}

// A finger that comes down on a slider may mean to scroll the page. Until it has moved sideways nothing changes; if the
// browser takes it for scrolling (touch-action: pan-y) it cancels the pointer, and nothing has changed.

/** Sliders with a finger on them that has not moved sideways yet, and where it came down. @type {WeakMap<HTMLInputElement, { x: number, y: number }>} */
const waiting = new WeakMap();

/** @param {PointerEvent} event */
function touchStart(event) {
  if (event.pointerType === 'touch') waiting.set(/** @type {HTMLInputElement} */ (event.target), { x: event.clientX, y: event.clientY });
}

/** @param {PointerEvent} event */
function touchMove(event) {
  const range = /** @type {HTMLInputElement} */ (event.target);
  const start = waiting.get(range);
  if (!start) return;
  const across = Math.abs(event.clientX - start.x);
  if (across > 4 && across > Math.abs(event.clientY - start.y)) waiting.delete(range);
}

/** @param {PointerEvent} event */
function touchEnd(event) {
  waiting.delete(/** @type {HTMLInputElement} */ (event.target));
}

const THUMB = 18;

/** @param {PointerEvent} event @param {import('./slider-value.js').Scale} scale */
function valueAt(event, scale) {
  const range = /** @type {HTMLInputElement} */ (event.target);
  const box = range.getBoundingClientRect();
  const along = (event.clientX - box.left - THUMB / 2) / (box.width - THUMB);
  const share = getComputedStyle(range).direction === 'rtl' ? 1 - along : along;
  return snap(scale.min + share * (scale.max - scale.min), scale);
}

export const sliderStyles = css`
  .slider { display: grid; grid-template-columns: auto minmax(64px, 1fr) 64px; align-items: center; column-gap: var(--gap-3); }
  .slider .label { min-inline-size: 24px; font-size: var(--text-large); white-space: nowrap; }
  input[type='range'] {
    appearance: none;
    -webkit-appearance: none;
    inline-size: 100%;
    block-size: 32px;
    margin: 0;
    background: none;
    color: inherit;
    cursor: pointer;
    touch-action: pan-y;
  }
  input[type='range']::-webkit-slider-runnable-track { block-size: 2px; background: var(--line); }
  input[type='range']::-moz-range-track { block-size: 2px; background: var(--line); }
  input[type='range']::-webkit-slider-thumb {
    appearance: none;
    -webkit-appearance: none;
    box-sizing: border-box;
    inline-size: 18px;
    block-size: 18px;
    margin-block-start: -8px;
    border: 2px solid currentColor;
    border-radius: 50%;
    background: var(--surface);
  }
  input[type='range']::-moz-range-thumb {
    box-sizing: border-box;
    inline-size: 18px;
    block-size: 18px;
    border: 2px solid currentColor;
    border-radius: 50%;
    background: var(--surface);
  }
  input[type='range']:focus-visible { outline: none; }
  input[type='range']:focus-visible::-webkit-slider-thumb { outline: 2px solid currentColor; outline-offset: 3px; }
  input[type='range']:focus-visible::-moz-range-thumb { outline: 2px solid currentColor; outline-offset: 3px; }
  input[type='range']:active::-webkit-slider-thumb { background: currentColor; }
  input[type='range']:active::-moz-range-thumb { background: currentColor; }
  .field { position: relative; }
  .field input {
    box-sizing: border-box;
    inline-size: 100%;
    padding: 3px 6px;
    border: 1px solid var(--line);
    border-radius: 3px;
    background: var(--surface);
    color: var(--ink);
    font: inherit;
    font-variant-numeric: inherit;
    text-align: end;
  }
  .field input[aria-invalid='true'] { border-color: var(--problem); color: var(--problem); }
  .refused {
    position: absolute;
    inset-block-start: calc(100% + 4px);
    inset-inline-end: 0;
    z-index: 1;
    inline-size: max-content;
    max-inline-size: 240px;
    padding: 4px 8px;
    border: 1px solid var(--problem);
    border-radius: 3px;
    background: var(--surface);
    color: var(--problem);
    font-size: var(--text-small);
  }
  .refused:empty { display: none; }
`;
