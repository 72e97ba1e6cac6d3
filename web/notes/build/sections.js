import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMarkdown } from './markdown.js';
import { inEach } from './languages.js';

/** @typedef {import('./languages.js').Language} Language */
/** @typedef {{kind: 'prose', html: string} | {kind: 'figure', name: string, caption: string}} Part */
/** @typedef {{title: string, parts: Part[]}} Text one section in one language */
/** @typedef {{id: string, number: number, texts: Map<Language, Text>}} Section number 0 is the opening */

/**
 * Reads every section in every language. A section is a folder: one Markdown file a language, and the
 * markup of its figures, which all languages share.
 * @param {string} root the folder of the note
 * @param {Language[]} languages
 * @returns {Section[]}
 */
export function loadSections(root, languages) {
  /** @type {string[]} */
  const order = JSON.parse(readFileSync(join(root, 'sections/order.json'), 'utf8'));
  return order.map((id, number) => {
    const texts = new Map(languages.map((language) => [language, readText(root, id, language)]));
    const [first, ...others] = [...texts.values()].map((text) => figureNames(text).join(', '));
    for (const [at, names] of others.entries()) {
      if (names !== first) {
        throw new Error(`sections/${id}: ${languages[at + 1].tag}.md shows the figures ${names}; ${languages[0].tag}.md shows ${first}.`);
      }
    }
    return { id, number, texts };
  });
}

/** @param {Text} text */
function figureNames(text) {
  return text.parts.flatMap((part) => (part.kind === 'figure' ? [part.name] : []));
}

/**
 * @param {string} root
 * @param {string} id
 * @param {Language} language
 * @returns {Text}
 */
function readText(root, id, language) {
  const markdown = createMarkdown(language);
  markdown.renderer.rules.box_open = (tokens, at) => openBox(boxOf(tokens[at]), language, markdown);
  markdown.renderer.rules.box_close = () => '</div>\n';
  const tokens = markdown.parse(readFileSync(join(root, 'sections', id, `${language.tag}.md`), 'utf8'), {});
  /** @param {any[]} some */
  const render = (some) => markdown.renderer.render(some, markdown.options, {});

  if (tokens[0]?.type !== 'heading_open') throw new Error(`sections/${id}/${language.tag}.md does not begin with "# Title".`);
  /** @type {Part[]} */
  const parts = [];
  let prose = 3; // what comes before is the heading: open, inline, close
  for (let at = prose; at <= tokens.length; at += 1) {
    const figure = tokens[at]?.type === 'box_open' && boxOf(tokens[at]).kind === 'figure';
    if (!figure && at < tokens.length) continue;
    if (at > prose) parts.push({ kind: 'prose', html: render(tokens.slice(prose, at)) });
    if (!figure) break;
    const end = tokens.findIndex((token, index) => index > at && token.type === 'box_close' && token.meta === tokens[at].meta);
    parts.push({ kind: 'figure', name: boxOf(tokens[at]).words, caption: render(tokens.slice(at + 1, end)) });
    prose = end + 1;
    at = end;
  }
  return { title: render([tokens[1]]), parts };
}

/**
 * @param {any} token
 * @returns {{kind: string, words: string}}
 */
function boxOf(token) {
  return token.meta;
}

/**
 * @param {{kind: string, words: string}} box
 * @param {Language} language
 * @param {any} markdown
 */
function openBox({ kind, words }, { words: fixed }, markdown) {
  if (!(`box.${kind}` in fixed)) throw new Error(`There is no box of the kind "${kind}".`);
  const claim = words && `<p class="claim">${markdown.renderInline(words)}</p>`;
  return `<div role="note" class="box box-${kind}"><p class="label">${fixed[`box.${kind}`]}</p>${claim}\n`;
}

/**
 * One section as HTML: prose once per language, each figure once, so that a figure keeps what the
 * reader did to it when the language changes.
 * @param {Section} section
 * @param {Language[]} languages
 * @param {(name: string) => {number: number, html: string}} figureOf
 */
export function renderSection({ id, number, texts }, languages, figureOf) {
  /** @param {Language} language */
  const textOf = (language) => /** @type {Text} */ (texts.get(language));
  const level = number === 0 ? 'h1' : 'h2';
  const title = inEach(languages, (language) => textOf(language).title);
  const mark = number === 0 ? '' : `<a class="number" href="#${id}">${number}</a> `;
  const rows = groupByFigure(languages.map((language) => textOf(language).parts));
  const body = rows.map(({ prose, figure }) => {
    const written = prose.some(Boolean) ? inEach(languages, (language) => prose[languages.indexOf(language)], 'div', ' class="prose"') : '';
    if (!figure) return written;
    const { number: figureNumber, html } = figureOf(figure.name);
    const caption = inEach(languages, (language) => {
      const label = language.words.figure.replace('{n}', String(figureNumber));
      return `<p class="label">${label}</p>${figure.captions[languages.indexOf(language)]}`;
    }, 'div');
    return `${written}<figure id="${id}-${figure.name}">${html}<figcaption>${caption}</figcaption></figure>`;
  });
  return `<section id="${id}" aria-labelledby="${id}-title"${number === 0 ? ' class="opening"' : ''}>
<${level} id="${id}-title">${mark}${title}</${level}>
${body.join('\n')}
<div class="end" data-end-of="${id}"></div>
</section>`;
}

/**
 * Rows of "prose in every language, then the figure it leads to".
 * @param {Part[][]} texts
 */
function groupByFigure(texts) {
  /** @type {{prose: string[], figure: {name: string, captions: string[]} | null}[]} */
  const rows = [];
  texts.forEach((parts, language) => {
    let row = 0;
    for (const part of parts) {
      rows[row] ??= { prose: texts.map(() => ''), figure: null };
      if (part.kind === 'prose') {
        rows[row].prose[language] = part.html;
      } else {
        const figure = (rows[row].figure ??= { name: part.name, captions: texts.map(() => '') });
        figure.captions[language] = part.caption;
        row += 1;
      }
    }
  });
  return rows;
}
