/**
 * One table as CSV (RFC 4180). Numbers have every digit, so that they read back as the same numbers; null is empty.
 * @param {{ columns: string[], rows: (string | number | boolean | null)[][] }} table
 */
export function csvText({ columns, rows }) {
  return [columns, ...rows].map((row) => row.map(cellText).join(',')).join('\r\n') + '\r\n';
}

/** @param {string | number | boolean | null} cell */
function cellText(cell) {
  if (cell === null) return '';
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
