/** @typedef {import('lit').ReactiveController} ReactiveController */

const PAUSE = 300;

/**
 * Says things to screen readers, at most once in 300 ms; the last one is always said.
 * @implements {ReactiveController}
 */
export class Announcer {
  text = '';
  #waiting = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #host;

  /** @param {import('../view/lit.js').LitElement} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {}

  hostDisconnected() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** @param {string} text */
  say(text) {
    this.#waiting = text;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.text = this.#waiting;
      this.#host.requestUpdate();
    }, PAUSE);
  }
}
