// Which part of a figure the reader points at. A part is anything with data-part. A mouse shows it while over it,
// the keyboard while focused; a tap or click keeps it shown until the second one, a tap elsewhere, or Escape.

/** @typedef {import('lit').ReactiveController} ReactiveController */

/** @implements {ReactiveController} */
export class PartFocus {
  /** @type {string | null} */ #hovered = null;
  /** @type {string | null} */ #focused = null;
  /** @type {string | null} */ #kept = null;
  #byTouch = false;
  #host;

  /** @param {import('./lit.js').LitElement} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  /** The part that is shown now. */
  get part() {
    return this.#hovered ?? this.#kept ?? this.#focused;
  }

  /** Whether the part stays shown until it is let go. */
  get kept() {
    return this.#kept !== null;
  }

  hostConnected() {
    document.addEventListener('pointerdown', this.#elsewhere);
  }

  hostDisconnected() {
    document.removeEventListener('pointerdown', this.#elsewhere);
    this.clear();
  }

  clear = () => {
    this.#hovered = this.#kept = this.#focused = null;
    this.#host.requestUpdate();
  };

  /** @param {PointerEvent} event */
  pointerover = (event) => {
    if (event.pointerType === 'touch') return;
    this.#hovered = partOf(event);
    this.#host.requestUpdate();
  };

  pointerleave = () => {
    this.#hovered = null;
    this.#host.requestUpdate();
  };

  /** @param {PointerEvent} event */
  pointerdown = (event) => {
    this.#byTouch = event.pointerType === 'touch';
  };

  /** @param {FocusEvent} event */
  focusin = (event) => {
    this.#focused = partOf(event);
    this.#host.requestUpdate();
  };

  focusout = () => {
    this.#focused = null;
    this.#host.requestUpdate();
  };

  /** @param {MouseEvent} event */
  click = (event) => {
    const part = partOf(event);
    const again = part === this.#kept;
    this.#kept = again ? null : part;
    // The tap that hides also moved the focus here, which would show the part again.
    this.#focused = null;
    if (this.#byTouch) this.#hovered = null;
    this.#host.requestUpdate();
  };

  /** @param {KeyboardEvent} event */
  keydown = (event) => {
    if (event.key === 'Escape' && this.part !== null) this.clear();
  };

  /** @param {PointerEvent} event */
  #elsewhere = (event) => {
    if (this.#kept === null) return;
    if (event.composedPath().some((node) => node instanceof Element && node.classList.contains('figure') && this.#host.renderRoot.contains(node))) return;
    this.#kept = null;
    this.#host.requestUpdate();
  };
}

/** @param {Event} event */
function partOf(event) {
  const target = /** @type {Element} */ (event.target);
  return target.closest('[data-part]')?.getAttribute('data-part') ?? null;
}
