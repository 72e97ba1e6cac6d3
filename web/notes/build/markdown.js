import MarkdownIt from 'markdown-it';
import { renderMath } from './math.js';

/** What must not be torn from a formula by the end of a line: a value it is set equal to, and punctuation. */
const tail = /^(?: = \[[^\]]*\])?[,.;:?!)”，。；：、？！）]*/;

/**
 * `$…$` inside a line.
 * @param {any} state
 * @param {boolean} silent
 */
function inlineMath(state, silent) {
  if (state.src[state.pos] !== '$') return false;
  const end = state.src.indexOf('$', state.pos + 1);
  if (end <= state.pos + 1) return false;
  const [after] = /** @type {RegExpExecArray} */ (tail.exec(state.src.slice(end + 1)));
  if (!silent) {
    const [before] = /** @type {RegExpExecArray} */ (/[(“（]?$/.exec(state.pending));
    state.pending = state.pending.slice(0, state.pending.length - before.length);
    const token = state.push('math_inline', 'math', 0);
    [token.content, token.meta] = [state.src.slice(state.pos + 1, end), { before, after }];
  }
  state.pos = end + 1 + after.length;
  return true;
}

/**
 * `$$` on a line of its own, the formula, `$$` again.
 * @param {any} state
 * @param {number} startLine
 * @param {number} endLine
 * @param {boolean} silent
 */
function displayMath(state, startLine, endLine, silent) {
  if (lineOf(state, startLine) !== '$$') return false;
  let line = startLine + 1;
  while (line < endLine && lineOf(state, line) !== '$$') line += 1;
  if (line >= endLine) return false;
  if (silent) return true;
  state.push('math_block', 'math', 0).content = state.getLines(startLine + 1, line, 0, false).trim();
  state.line = line + 1;
  return true;
}

/**
 * `::: kind words` … `:::`, a box of the note: a figure with its caption, a thing to try, a common mistake.
 * @param {any} state
 * @param {number} startLine
 * @param {number} endLine
 * @param {boolean} silent
 */
function box(state, startLine, endLine, silent) {
  const opening = /^:::\s*([a-z]+)\s*(.*)$/.exec(lineOf(state, startLine));
  if (!opening) return false;
  let line = startLine + 1;
  while (line < endLine && lineOf(state, line) !== ':::') line += 1;
  if (line >= endLine) throw new Error(`"${lineOf(state, startLine)}" is never closed with ":::".`);
  if (silent) return true;
  const open = state.push('box_open', '', 1);
  [open.meta, open.map] = [{ kind: opening[1], words: opening[2].trim() }, [startLine, line]];
  open.block = true;
  const outerEnd = state.lineMax;
  state.lineMax = line;
  state.md.block.tokenize(state, startLine + 1, line);
  state.lineMax = outerEnd;
  const close = state.push('box_close', '', -1);
  [close.meta, close.block] = [open.meta, true];
  state.line = line + 1;
  return true;
}

/**
 * @param {any} state
 * @param {number} line
 * @returns {string}
 */
function lineOf(state, line) {
  return state.src.slice(state.bMarks[line] + state.tShift[line], state.eMarks[line]).trimEnd();
}

/**
 * Numbers stay together: "67.0 %" and "[1, 0]" do not break across lines, nor does what a vector is set equal to.
 * @param {string} text
 */
function bindNumbers(text) {
  return text
    .replace(/(\d) %/g, '$1\u00a0%')
    .replace(/ = (?=\[?\d)/g, '\u00a0=\u00a0')
    .replace(/\[[\d.,\s−]+\]/g, (vector) => vector.replaceAll(' ', '\u00a0'));
}

/**
 * Puts a margin note and the paragraph before it into one element, so that they can stand side by side.
 * @param {any} state
 */
function pairNotes({ tokens, Token }) {
  for (let at = tokens.length - 1; at >= 3; at -= 1) {
    const note = tokens[at].type === 'box_open' && tokens[at].meta.kind === 'not';
    if (!note || tokens[at - 3].type !== 'paragraph_open') continue;
    const end = tokens.findIndex((/** @type {any} */ token) => token.type === 'box_close' && token.meta === tokens[at].meta);
    const [open, close] = [new Token('pair_open', 'div', 1), new Token('pair_close', 'div', -1)];
    open.attrs = [['class', 'pair']];
    tokens.splice(end + 1, 0, close);
    tokens.splice(at - 3, 0, open);
  }
}

/**
 * Markdown as the sections use it: CommonMark, formulas and boxes; no raw HTML.
 * @param {{quotes: string}} typography
 */
export function createMarkdown({ quotes }) {
  const markdown = new MarkdownIt({ html: false, typographer: true, quotes });
  markdown.inline.ruler.before('escape', 'math', inlineMath);
  const interrupts = { alt: ['paragraph', 'reference', 'blockquote', 'list'] };
  markdown.block.ruler.before('fence', 'display-math', displayMath, interrupts);
  markdown.block.ruler.before('fence', 'box', box, interrupts);
  markdown.core.ruler.push('pair-notes', pairNotes);
  markdown.renderer.rules.text = (tokens, at) => markdown.utils.escapeHtml(bindNumbers(tokens[at].content));
  markdown.renderer.rules.math_inline = (tokens, at) => {
    const { before, after } = /** @type {{before: string, after: string}} */ (tokens[at].meta);
    const math = renderMath(tokens[at].content, false);
    return before || after ? `<span class="bound">${before}${math}${markdown.utils.escapeHtml(after)}</span>` : math;
  };
  markdown.renderer.rules.math_block = (tokens, at) => `<div class="formula">${renderMath(tokens[at].content, true)}</div>\n`;
  return markdown;
}
