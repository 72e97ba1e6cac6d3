import temml from 'temml';

/** The roles of the figures, in their colours: `\query{q}`, `\key{k_1}`, `\val{v_1}`, `\out{O}`. */
const macros = {
  '\\query': '\\class{role-query}{#1}',
  '\\key': '\\class{role-key}{#1}',
  '\\val': '\\class{role-value}{#1}',
  '\\out': '\\class{role-output}{#1}',
};

/** Temml asks for Chromium's block layout inline; `.tml-display` in prose.css does it instead. */
const displayStyle = ' style="display:block math;"';

/**
 * TeX to MathML. A formula that would need any other inline style is refused, because the pages'
 * content policy would drop that style without a word.
 * @param {string} tex
 * @param {boolean} displayMode
 * @returns {string}
 */
export function renderMath(tex, displayMode) {
  const mathml = temml
    .renderToString(tex, { displayMode, macros: { ...macros }, throwOnError: true, trust: true })
    .replace(displayStyle, '');
  if (/\sstyle=/.test(mathml)) {
    throw new Error(`The formula "${tex}" renders with an inline style, which the pages' content policy forbids.`);
  }
  return mathml;
}
