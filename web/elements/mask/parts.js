// Parts of the figure by name: `mask:1:2` is a cell of a matrix, `sum:1` and `output:1` are numbers beside a row; counted from 0.

/**
 * @param {string | null} part
 * @returns {{ name: string, row: number, column: number | null } | null}
 */
export function readPart(part) {
  if (part === null) return null;
  const [name, row, column] = part.split(':');
  return { name, row: Number(row), column: column === undefined ? null : Number(column) };
}

/**
 * The row and column to light up: those of the part pointed at, else the stepper's row.
 * @param {{ part: string | null, state: { row: number }, result: { allow: boolean[][] } }} picture
 * @returns {{ row: number, column: number | null }}
 */
export function litCell({ part, state, result }) {
  const { length: rows } = result.allow;
  const pointed = readPart(part);
  // The part may be from a larger matrix than the one that is shown now.
  if (pointed && pointed.row < rows && (pointed.column ?? 0) < result.allow[0].length) return { row: pointed.row, column: pointed.column };
  return { row: Math.min(state.row, rows) - 1, column: null };
}
