import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * One language of the pages: its tag, the fixed words of the page, and the quotes its typography uses.
 * @typedef {{tag: string, quotes: string, words: Record<string, string>}} Language
 */

/**
 * The languages of the note are the files in `locales/`, English first because it is the fallback.
 * @param {string} root the folder of the note
 * @returns {Language[]}
 */
export function loadLanguages(root) {
  const folder = join(root, 'locales');
  const languages = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { quotes, ...words } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return { tag: basename(file, '.json'), quotes, words };
    })
    .sort((a, b) => Number(b.tag === 'en') - Number(a.tag === 'en') || a.tag.localeCompare(b.tag));
  for (const { tag, words } of languages) {
    const missing = Object.keys(languages[0].words).filter((key) => !(key in words));
    if (missing.length) throw new Error(`locales/${tag}.json lacks: ${missing.join(', ')}.`);
  }
  return languages;
}

/**
 * The same content once per language; the style sheet shows the one whose tag the document has.
 * @param {Language[]} languages
 * @param {(language: Language) => string} content
 * @param {string} [element]
 * @param {string} [attributes]
 * @returns {string}
 */
export function inEach(languages, content, element = 'span', attributes = '') {
  return languages
    .map((language) => `<${element}${attributes} lang="${language.tag}" data-lang="${language.tag}">${content(language)}</${element}>`)
    .join('');
}
