import { html, nothing } from '../view/lit.js';
import { sentence } from '../view/refusal.js';

/** @typedef {import('lit').ReactiveController} ReactiveController */

/** @typedef {import('./element.js').AttnElement} AttnElement */

/**
 * Reset, copy link, copy embed code and the files.
 * @implements {ReactiveController}
 */
export class Toolbar {
  /** What the last button did. */
  #said = '';
  /** A text the browser would not copy. */
  #uncopied = '';
  #element;

  /** @param {AttnElement} element */
  constructor(element) {
    this.#element = element;
    element.addController(this);
  }

  hostConnected() {
    document.addEventListener('pointerdown', this.#closeMenu);
  }

  hostDisconnected() {
    document.removeEventListener('pointerdown', this.#closeMenu);
  }

  /** @param {import('./element.js').Context<any, any>} context */
  template({ text }) {
    const element = this.#element;
    const name = element.localName;
    /** @param {string} kind @param {() => Blob | Promise<Blob>} make */
    const file = (kind, make) => html`
      <button type="button" @click=${() => this.#save(`${name}.${kind}`, make, text)}>
        ${text(`common.export${kind[0].toUpperCase()}${kind.slice(1)}`)}
      </button>`;
    /** @param {string} type @param {string} content */
    const blob = (type, content) => new Blob([content], { type });
    return html`
      <div class="toolbar" role="group" aria-label=${text('common.tools')}>
        <button type="button" @click=${() => this.#reset(text)}>${text('common.reset')}</button>
        <button type="button" @click=${() => this.#copy(element.shareUrl(), text('common.linkCopied'))}>${text('common.copyLink')}</button>
        <button type="button" @click=${() => this.#copy(element.embedCode(), text('common.embedCopied'))}>${text('common.copyEmbed')}</button>
        <details class="menu" @keydown=${this.#menuKey}>
          <summary>${text('common.export')}</summary>
          <div role="group" aria-label=${text('common.export')}>
            ${file('svg', () => blob('image/svg+xml', element.toSVG()))}
            ${file('png', () => element.toPNG())}
            ${file('csv', () => blob('text/csv', element.toCSV()))}
            ${file('json', () => blob('application/json', JSON.stringify(element, null, 2)))}
          </div>
        </details>
        <span class="said" role="status">${this.#said}</span>
        ${this.#uncopied ? html`<label class="uncopied">${text('common.copyRefused')}<input readonly .value=${this.#uncopied} @focus=${selectAll}></label>` : nothing}
      </div>`;
  }

  /** @param {import('../locales/index.js').Translate} text */
  #reset(text) {
    this.#element.resetByReader();
    this.#say(text('common.wasReset'));
  }

  /** @param {string} content @param {string} done */
  async #copy(content, done) {
    try {
      await navigator.clipboard.writeText(content);
      this.#say(done);
    } catch {
      this.#say('', content);
    }
  }

  /** @param {string} name @param {() => Blob | Promise<Blob>} make @param {import('../locales/index.js').Translate} text */
  async #save(name, make, text) {
    try {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await make());
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      this.#say(text('common.saved', { name }));
    } catch (error) {
      this.#say(sentence(error, text));
    }
    this.#menu?.removeAttribute('open');
  }

  /** @param {string} said @param {string} [uncopied] */
  #say(said, uncopied = '') {
    this.#said = said;
    this.#uncopied = uncopied;
    this.#element.requestUpdate();
  }

  get #menu() {
    return this.#element.renderRoot.querySelector('.menu');
  }

  /** @param {KeyboardEvent} event */
  #menuKey = (event) => {
    if (event.key !== 'Escape') return;
    this.#menu?.removeAttribute('open');
    this.#menu?.querySelector('summary')?.focus();
  };

  /** @param {PointerEvent} event */
  #closeMenu = (event) => {
    const menu = this.#menu;
    if (menu && !event.composedPath().includes(menu)) menu.removeAttribute('open');
  };
}

/** @param {FocusEvent} event */
function selectAll(event) {
  /** @type {HTMLInputElement} */ (event.target).select();
}
