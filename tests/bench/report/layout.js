// Tables: aligned for a terminal, or with bars for Markdown.

/** @typedef {{ heading: string[], rows: string[][] }} Table the first column is text, the others are numbers unless they are too long for that */

/** @param {string} text */
const width = (text) => [...text].length;

/** @param {Table} table */
export function plainTable({ heading, rows }) {
  const widths = heading.map((title, column) => Math.max(width(title), ...rows.map((row) => width(row[column]))));
  const isText = heading.map((_, column) => rows.some((row) => width(row[column]) > 24) || column === 0);
  const line = (/** @type {string[]} */ row) =>
    row.map((cell, column) => (isText[column] ? cell + ' '.repeat(widths[column] - width(cell)) : ' '.repeat(widths[column] - width(cell)) + cell)).join('  ').trimEnd();
  return [line(heading), ...rows.map(line)].join('\n');
}

/** @param {Table} table */
export function markdownTable({ heading, rows }) {
  const line = (/** @type {string[]} */ row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heading), `|${heading.map((_, column) => (column === 0 ? '---|' : '---:|')).join('')}`, ...rows.map(line)].join('\n');
}
