import { translator } from '../locales/index.js';

/**
 * An error that can be said in every language: `message` is the English sentence, `key` and `values` make the others.
 * @typedef {TypeError & { key: string, values: Record<string, string | number> }} Refusal
 */

/**
 * @param {string} key  of a sentence in the locales
 * @param {Record<string, string | number>} values
 * @returns {Refusal}
 */
export function refusal(key, values) {
  return Object.assign(new TypeError(translator('en')(key, values)), { key, values });
}

/**
 * The sentence of any error, in the reader's language where it has one.
 * @param {unknown} error
 * @param {import('../locales/index.js').Translate} text
 */
export function sentence(error, text) {
  if (error instanceof Error && 'key' in error) {
    const { key, values } = /** @type {Refusal} */ (error);
    return text(key, values);
  }
  return error instanceof Error ? error.message : String(error);
}
