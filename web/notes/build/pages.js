import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inEach, loadLanguages } from './languages.js';
import { loadSections, renderSection } from './sections.js';
import { renderGallery } from './gallery.js';

/** @typedef {import('./languages.js').Language} Language */
/** @typedef {import('./sections.js').Section} Section */

/**
 * Fills the placeholders of a page: `<!-- words KEY -->` with a fixed word in every language,
 * `<!-- icon -->`, `<!-- sections -->`, `<!-- contents -->`, `<!-- gallery -->` and `<!-- languages -->` with what
 * their names say, `<!-- alternates PAGE -->` with links to the page in each language.
 * @param {string} root the folder of the note
 * @param {string} html
 * @returns {string}
 */
export function fillPage(root, html) {
  const languages = loadLanguages(root);
  /** @type {Record<string, (argument: string) => string>} */
  const makers = {
    words: (key) => inEach(languages, ({ tag, words }) => words[key] ?? fail(`locales/${tag}.json lacks ${key}.`)),
    icon: () => renderIcon(root),
    sections: () => renderSections(root, languages),
    contents: () => renderContents(loadSections(root, languages), languages),
    gallery: () => renderGallery(languages),
    languages: () => renderLanguageLinks(languages),
    alternates: (page) => renderAlternates(languages, page),
  };
  return html
    .replace('<html lang="en"', `<html lang="en" data-languages="${languages.map(({ tag }) => tag).join(' ')}"`)
    .replace(/<!-- (words|icon|sections|contents|gallery|languages|alternates)(?: (\S+))? -->/g, (_, name, argument) => makers[name](argument));
}

/**
 * The icon within the page: browsers ask for it again whenever the address changes, also when there is no network.
 * @param {string} root
 */
function renderIcon(root) {
  const icon = encodeURIComponent(readFileSync(join(root, 'icon.svg'), 'utf8').trim());
  return `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${icon}">`;
}

/**
 * @param {string} root
 * @param {Language[]} languages
 */
function renderSections(root, languages) {
  let number = 0;
  return loadSections(root, languages)
    .map((section) =>
      renderSection(section, languages, (name) => {
        number += 1;
        const file = join(root, 'sections', section.id, 'figures', `${name}.html`);
        if (!existsSync(file)) fail(`sections/${section.id} shows the figure "${name}", but figures/${name}.html is not there.`);
        return { number, html: withFallback(readFileSync(file, 'utf8').trim(), languages) };
      }),
    )
    .join('\n');
}

/**
 * Puts a sentence into each empty widget, for readers without scripts.
 * @param {string} html
 * @param {Language[]} languages
 */
export function withFallback(html, languages) {
  return html.replace(/(<(attn-[a-z-]+)[^>]*>)(<\/\2>)/g, (_, open, __, close) => open + inEach(languages, ({ words }) => words.fallback) + close);
}

/**
 * @param {Section[]} sections
 * @param {Language[]} languages
 */
function renderContents(sections, languages) {
  const tick = '<svg class="tick" viewBox="0 0 12 12" aria-hidden="true"><path d="M2 6.5 4.8 9.3 10 3.2"/></svg>';
  const items = sections
    .filter(({ number }) => number > 0)
    .map(({ id, number, texts }) => {
      const title = inEach(languages, (language) => texts.get(language)?.title ?? '');
      const read = `<span class="read">${tick}${inEach(languages, ({ words }) => words.read, 'span', ' class="unseen"')}</span>`;
      return `<li data-section="${id}"><a href="#${id}"><span class="number">${number}</span> <span class="title">${title}</span></a>${read}</li>`;
    });
  return `<ol class="contents-list">${items.join('')}</ol>`;
}

/** @param {Language[]} languages */
function renderLanguageLinks(languages) {
  return languages
    .map(({ tag, words }) => `<a href="?lang=${tag}" hreflang="${tag}" lang="${tag}" data-language="${tag}">${words.name}</a>`)
    .join('');
}

/**
 * Links to the same page in each language; their titles are the page's titles.
 * @param {Language[]} languages
 * @param {string} page
 */
function renderAlternates(languages, page) {
  return languages
    .map(({ tag, words }) => `<link rel="alternate" hreflang="${tag}" href="?lang=${tag}" title="${words[`title.${page}`]}" vite-ignore>`)
    .join('\n');
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  throw new Error(message);
}
