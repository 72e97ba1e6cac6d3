/**
 * Reads CSV by RFC 4180.
 * @param {string} text
 * @returns {string[][]}
 */
export function parseCsv(text) {
  /** @type {string[][]} */
  const rows = [];
  let row = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (!match) throw new Error(`CSV: expected a cell at ${at}, got ${JSON.stringify(text.slice(at, at + 20))}`);
    row.push(match[1]?.replaceAll('""', '"') ?? match[2]);
    if (match[3] !== ',') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
