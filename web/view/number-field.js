import { Directive, PartType, directive, html, noChange } from './lit.js';
import { formatGiven, parseNumber } from './format.js';
import { refusal, sentence } from './refusal.js';
import { keyedValue } from './slider-value.js';

/**
 * A field for one number beside a slider. A text that is not a number changes nothing: the field is marked and says why.
 * It is no type=number, so the wheel cannot change it and a decimal comma can be typed.
 * @param {object} options
 * @param {string} options.name  for screen readers
 * @param {number} options.value
 * @param {import('./slider-value.js').Scale} options.scale  bounds, and the step of the arrow keys
 * @param {import('../locales/index.js').Translate} options.text
 * @param {(value: number) => void} options.change
 */
export function numberField({ name, value, scale, text, change }) {
  const shown = formatGiven(value);
  /** @param {InputEvent} event */
  const input = (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    try {
      const typed = parseNumber(field.value);
      if (typed < scale.min || typed > scale.max) {
        throw refusal('common.numberRange', { min: formatGiven(scale.min), max: formatGiven(scale.max), got: formatGiven(typed) });
      }
      complain(field, '');
      change(typed);
    } catch (error) {
      complain(field, sentence(error, text));
    }
  };
  /** @param {Event} event */
  const leave = (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    // What was refused stays visible with its reason; what was taken is shown in the common form.
    if (field.getAttribute('aria-invalid') !== 'true') field.value = shown;
  };
  /** @param {KeyboardEvent} event */
  const keydown = (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (event.key === 'Escape' || event.key === 'Enter') {
      if (event.key === 'Escape') complain(field, '');
      if (field.getAttribute('aria-invalid') !== 'true') field.value = shown;
    }
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const next = keyedValue(event.key, value, scale, false) ?? value;
    complain(field, '');
    field.value = formatGiven(next);
    change(next);
  };
  return html`
    <span class="field">
      <input type="text" inputmode="decimal" autocomplete="off" spellcheck="false" aria-label=${name}
        value=${unlessTyping(shown)} @input=${input} @blur=${leave} @keydown=${keydown}>
      <span class="refused" role="alert"></span>
    </span>`;
}

/** @param {HTMLInputElement} field @param {string} reason  empty: nothing to complain about */
function complain(field, reason) {
  field.setAttribute('aria-invalid', String(reason !== ''));
  const place = /** @type {HTMLElement} */ (field.nextElementSibling);
  if (place.textContent !== reason) place.textContent = reason;
}

/** Keeps a field's text in step with the value, but never under the hands of somebody who types. */
const unlessTyping = directive(class extends Directive {
  #shown = '';

  /** @param {import('lit/directive.js').PartInfo} part */
  constructor(part) {
    super(part);
    if (part.type !== PartType.ATTRIBUTE) throw new Error('unlessTyping: expected an attribute');
  }

  /** @param {string} shown */
  render(shown) {
    return shown;
  }

  /** @param {import('lit').AttributePart} part @param {[string]} shown */
  update(part, [shown]) {
    const field = /** @type {HTMLInputElement} */ (part.element);
    const typing = /** @type {Document | ShadowRoot} */ (field.getRootNode()).activeElement === field;
    if (!typing && shown !== this.#shown) {
      field.value = shown;
      complain(field, '');
    }
    this.#shown = shown;
    return noChange;
  }
});
