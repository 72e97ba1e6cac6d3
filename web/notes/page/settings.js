import { remember } from './memory.js';

const root = document.documentElement;

/**
 * Wires the language links and the colour switch, and makes the page agree with itself. The widgets watch the
 * document's `lang` and color-scheme on their own.
 */
export function startSettings() {
  for (const link of languageLinks()) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      chooseLanguage(link.dataset.language ?? 'en');
    });
  }
  const asked = new URLSearchParams(location.search).has('lang');
  showLanguage(root.lang);
  if (asked) chooseLanguage(root.lang);

  for (const button of themeButtons()) button.addEventListener('click', () => chooseTheme(button.value));
  showTheme(root.dataset.theme ?? 'auto');
}

/** @returns {HTMLAnchorElement[]} */
function languageLinks() {
  return [...document.querySelectorAll(/** @type {'a'} */ ('a[data-language]'))];
}

/** @returns {HTMLButtonElement[]} */
function themeButtons() {
  return [...document.querySelectorAll(/** @type {'button'} */ ('button[data-theme-choice]'))];
}

/**
 * The reader's choice goes to the address and to memory, so that the two never disagree.
 * @param {string} language
 */
function chooseLanguage(language) {
  remember('language', language);
  const address = new URL(location.href);
  if (address.searchParams.get('lang') !== language) {
    address.searchParams.set('lang', language);
    history.replaceState(history.state, '', address);
  }
  showLanguage(language);
}

/** @param {string} language */
function showLanguage(language) {
  root.lang = language;
  const alternate = /** @type {HTMLLinkElement | null} */ (document.querySelector(`link[rel="alternate"][hreflang="${language}"]`));
  if (alternate) document.title = alternate.title;
  for (const link of languageLinks()) {
    if (link.dataset.language === language) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** @param {string} theme `auto`, `light` or `dark` */
function chooseTheme(theme) {
  remember('theme', theme === 'auto' ? null : theme);
  showTheme(theme);
}

/** @param {string} theme */
function showTheme(theme) {
  if (theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const button of themeButtons()) button.setAttribute('aria-pressed', String(button.value === theme));
}
