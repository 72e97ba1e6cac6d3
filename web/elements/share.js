// Links and embed code. State in the page's address is opt-in by the attribute `url-state`; it replaces the current
// history entry, at most every 500 ms, and leaves the rest of the address as it is. A link made by "copy link" is
// always understood.

import { version } from '../version.js';

/** @typedef {import('lit').ReactiveController} ReactiveController */

const PAUSE = 500;

/** @typedef {import('./element.js').AttnElement} AttnElement */

/**
 * The name of an element's state in the query: its tag, with its id or, from the second of the kind on, its place.
 * @param {AttnElement} element
 */
export function stateName(element) {
  const place = [...document.querySelectorAll(element.localName)].indexOf(element) + 1;
  const suffix = element.id || (place === 1 ? '' : String(place));
  return suffix ? `${element.localName}.${suffix}` : element.localName;
}

/**
 * The address with one name of the query set, or without it for null; everything else untouched.
 * @param {string} address @param {string} name @param {string | null} value
 */
export function withQuery(address, name, value) {
  const [, path, query = '', hash = ''] = /** @type {RegExpExecArray} */ (/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address));
  const others = query.split('&').filter((pair) => pair !== '' && pair.split('=')[0] !== name);
  const pairs = value === null ? others : [...others, `${name}=${encodeURIComponent(value)}`];
  return `${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}${hash}`;
}

/** The address of this page with what the reader changed. @param {AttnElement} element */
export function linkTo(element) {
  const initial = element.initial;
  const changes = Object.entries(element.state).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(initial[key]));
  return withQuery(location.href, stateName(element), changes.length > 0 ? JSON.stringify(Object.fromEntries(changes)) : null);
}

/** @param {AttnElement} element */
export function embedText(element) {
  const attributes = element.markup().map(([name, text]) => (text === '' ? ` ${name}` : ` ${name}="${text.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"`));
  return `<script type="module" src="${scriptAddress()}"></script>\n<${element.localName}${attributes.join('')}></${element.localName}>`;
}

function scriptAddress() {
  const script = [...document.scripts].find(({ type, src }) => type === 'module' && src.replace(/[?#].*/, '').endsWith('/attn-widgets.js'));
  return script?.src ?? `https://cdn.jsdelivr.net/npm/attn-widgets@${version}/dist/attn-widgets.js`;
}

/** @implements {ReactiveController} */
export class LinkedState {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #element;

  /** @param {AttnElement} element */
  constructor(element) {
    this.#element = element;
    element.addController(this);
  }

  hostConnected() {}

  hostDisconnected() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Takes over the state that the address has for this element; anything that is not such a state is ignored. */
  read() {
    const text = new URLSearchParams(location.search).get(stateName(this.#element));
    if (text === null) return;
    try {
      this.#element.setByReader(JSON.parse(text));
    } catch {
      // Somebody else's parameter, or a damaged link: the figure stays as the page gave it.
    }
  }

  write() {
    if (!this.#element.hasAttribute('url-state')) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const address = linkTo(this.#element);
      if (address === location.href) return;
      try {
        history.replaceState(history.state, '', address);
      } catch {
        // A sandboxed frame may refuse; the link can still be copied.
      }
    }, PAUSE);
  }
}
