// What an element takes over from where it stands: language, light or dark, width.

import { matchLocale } from '../locales/index.js';

/**
 * The parent in the flattened sense: out of a shadow root to its host.
 * @param {Element} element
 * @returns {Element | null}
 */
function parentOf(element) {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** @param {Element} element */
export function localeOf(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = parentOf(at)) {
    const lang = at.getAttribute('lang');
    if (lang) return matchLocale(lang);
  }
  return matchLocale(navigator.languages?.find((tag) => matchLocale(tag) !== 'en' || tag.toLowerCase().startsWith('en')) ?? navigator.language);
}

/**
 * The element's own wish, else the page's color-scheme, else the system.
 * @param {Element} element
 * @param {string} wish  'light', 'dark' or 'auto'
 * @returns {'light' | 'dark'}
 */
export function themeOf(element, wish) {
  if (wish === 'light' || wish === 'dark') return wish;
  const schemes = getComputedStyle(element).colorScheme.split(' ');
  const light = schemes.includes('light');
  const dark = schemes.includes('dark');
  if (light !== dark) return dark ? 'dark' : 'light';
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/**
 * Calls back when an ancestor's attributes, the system's theme or the element's width change. The width is kept, since
 * asking for it while other elements of the page are drawn would have the page laid out once for each.
 * @param {HTMLElement} element
 * @param {() => void} changed
 */
export function watchSurroundings(element, changed) {
  const attributes = new MutationObserver(changed);
  for (let at = parentOf(element); at; at = parentOf(at)) attributes.observe(at, { attributes: true });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', changed);
  /** @type {number | undefined} */
  let width;
  // Only the width is read, and the figure's height follows from it, so this cannot go round in circles.
  const size = new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    changed();
  });
  size.observe(element);
  return {
    /** In CSS pixels, as of the last layout. */
    get width() {
      width ??= element.clientWidth;
      return width;
    },
    stop() {
      attributes.disconnect();
      system.removeEventListener('change', changed);
      size.disconnect();
    },
  };
}
