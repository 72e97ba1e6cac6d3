/**
 * Registers an element once. A second copy of the library on the page is normal: the first one wins.
 * @param {typeof import('./element.js').AttnElement} type
 * @param {string} [tag]
 */
export function define(type, tag = type.tag) {
  if (typeof customElements === 'undefined') return;
  const present = customElements.get(tag);
  if (!present) {
    customElements.define(tag, type);
    return;
  }
  const version = 'version' in present ? String(present.version) : 'unknown';
  if (version !== type.version && !warned) {
    warned = true;
    console.warn(`attn-widgets: <${tag}> is already defined by version ${version}; version ${type.version} leaves it as it is`);
  }
}

let warned = false;
