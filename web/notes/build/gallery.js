import { gallery } from '../gallery/states.js';
import { inEach } from './languages.js';

/** @typedef {import('./languages.js').Language} Language */

const escapes = /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' });

/**
 * Every element in every state, each with the markup that makes it.
 * @param {Language[]} languages
 */
export function renderGallery(languages) {
  return gallery
    .map(({ tag, states }) => {
      const shown = Object.entries(states).map(([state, html]) => {
        const id = `${tag}-${state}`;
        const title = inEach(languages, ({ tag: language, words }) => {
          const name = words[`state.${state}`];
          if (name === undefined) throw new Error(`locales/${language}.json lacks state.${state}.`);
          return name;
        });
        const markup = html.replace(/[&<>]/g, (sign) => escapes[sign]);
        return `<article class="state" id="${id}"><h3><a href="#${id}">${title}</a></h3><pre tabindex="0"><code>${markup}</code></pre>${html}</article>`;
      });
      return `<section id="${tag}" aria-labelledby="${tag}-title"><h2 id="${tag}-title"><code>&lt;${tag}&gt;</code></h2>${shown.join('\n')}</section>`;
    })
    .join('\n');
}
