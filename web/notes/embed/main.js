import '../../elements.js';
import { reportHeight } from './height.js';

/** Parameters of the page itself; every other one is an attribute of the widget. */
const own = new Set(['widget', 'lang', 'theme']);

/**
 * The address names one widget and its attributes: `embed.html?widget=two-key&q=1,0&lang=zh-CN&theme=dark`.
 * Parameters that are no attribute of the widget (a referrer's mark, say) are left alone.
 */
function start() {
  const parameters = new URLSearchParams(location.search);
  const root = document.documentElement;
  const languages = (root.dataset.languages ?? 'en').split(' ');
  const asked = [parameters.get('lang') ?? '', ...navigator.languages];
  root.lang = asked.map((tag) => languages.find((language) => sameLanguage(language, tag))).find(Boolean) ?? 'en';
  const theme = parameters.get('theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;

  const place = /** @type {HTMLElement} */ (document.querySelector('main'));
  const tag = `attn-${parameters.get('widget') ?? ''}`;
  const type = /^[a-z-]+$/.test(tag) ? customElements.get(tag) : undefined;
  if (!type) {
    /** @type {HTMLElement} */ (document.querySelector('#unknown')).hidden = false;
    return reportHeight(place);
  }
  const widget = document.createElement(tag);
  const attributes = /** @type {{observedAttributes?: string[]}} */ (type).observedAttributes ?? [];
  for (const [name, value] of parameters) {
    if (!own.has(name) && attributes.includes(name)) widget.setAttribute(name, value);
  }
  place.append(widget);
  // Not before the first picture, or the lack of one: until then the height is a guess.
  const { ready } = /** @type {import('../../elements/element.js').AttnElement} */ (widget);
  ready.catch(() => {}).then(() => reportHeight(place));
}

/**
 * @param {string} one
 * @param {string} other
 */
function sameLanguage(one, other) {
  return one.split('-')[0].toLowerCase() === other.split('-')[0].toLowerCase();
}

start();
