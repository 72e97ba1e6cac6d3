import en from './en.js';
import zhCN from './zh-CN.js';

/** @typedef {(key: string, values?: Record<string, string | number>) => string} Translate */

/** Every language there is; a new one is a new file and a line here. @type {Record<string, Record<string, string>>} */
export const locales = { en, 'zh-CN': zhCN };

/**
 * The language to use for a BCP 47 tag: the same tag, else one of the same first part, else English.
 * @param {string | null | undefined} tag
 */
export function matchLocale(tag) {
  const wanted = (tag ?? '').toLowerCase();
  const names = Object.keys(locales);
  return names.find((name) => name.toLowerCase() === wanted)
    ?? names.find((name) => name.split('-')[0].toLowerCase() === wanted.split('-')[0])
    ?? 'en';
}

/**
 * Looks sentences up by key and fills in `{name}` places.
 * @param {string} locale  a name from `locales`
 * @returns {Translate}
 */
export function translator(locale) {
  const texts = locales[locale] ?? en;
  return (key, values = {}) => {
    const pattern = texts[key] ?? locales.en[key];
    if (pattern === undefined) throw new RangeError(`text: expected a key of the locales, got "${key}"`);
    return pattern.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
  };
}
