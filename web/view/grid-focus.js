// Keyboard focus in a grid of SVG or HTML cells: one tab stop, arrow keys in two directions that stop at the edges.
// A cell is any focusable element with data-grid, data-row and data-col.

/** @typedef {import('lit').ReactiveController} ReactiveController */

/** @typedef {{ row: number, column: number }} Cell */

/**
 * Where a key leads from a cell, or null for keys that do not move.
 * @param {{ key: string, ctrlKey?: boolean }} event
 * @param {Cell} at
 * @param {{ rows: number, columns: number }} size
 * @returns {Cell | null}
 */
export function gridStep(event, at, size) {
  const last = { row: size.rows - 1, column: size.columns - 1 };
  switch (event.key) {
    case 'ArrowUp': return { row: Math.max(at.row - 1, 0), column: at.column };
    case 'ArrowDown': return { row: Math.min(at.row + 1, last.row), column: at.column };
    case 'ArrowLeft': return { row: at.row, column: Math.max(at.column - 1, 0) };
    case 'ArrowRight': return { row: at.row, column: Math.min(at.column + 1, last.column) };
    case 'Home': return { row: event.ctrlKey ? 0 : at.row, column: 0 };
    case 'End': return { row: event.ctrlKey ? last.row : at.row, column: last.column };
    default: return null;
  }
}

/** @implements {ReactiveController} */
export class GridFocus {
  /** @type {Map<string, Cell>} */
  #stops = new Map();
  #host;

  /** @param {import('./lit.js').LitElement} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {}

  /**
   * The tabindex of a cell.
   * @param {string} grid @param {number} row @param {number} column
   */
  tabindex(grid, row, column) {
    const stop = this.#stops.get(grid) ?? { row: 0, column: 0 };
    return stop.row === row && stop.column === column ? 0 : -1;
  }

  /** @param {FocusEvent} event */
  focusin = (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    this.#stops.set(cell.grid, { row: cell.row, column: cell.column });
    this.#host.requestUpdate();
  };

  /** @param {KeyboardEvent} event */
  keydown = (event) => {
    const cell = cellOf(event);
    if (!cell || event.altKey || event.metaKey) return;
    const root = /** @type {ShadowRoot} */ (this.#host.renderRoot);
    const cells = /** @type {SVGElement[]} */ ([...root.querySelectorAll(`[data-grid="${cell.grid}"]`)]);
    const size = {
      rows: Math.max(...cells.map((one) => Number(one.dataset.row))) + 1,
      columns: Math.max(...cells.map((one) => Number(one.dataset.col))) + 1,
    };
    const to = gridStep(event, cell, size);
    if (!to) return;
    event.preventDefault();
    cells.find((one) => Number(one.dataset.row) === to.row && Number(one.dataset.col) === to.column)?.focus();
  };
}

/** @param {Event} event */
function cellOf(event) {
  const { grid, row, col } = /** @type {SVGElement} */ (event.target).dataset;
  return grid === undefined ? null : { grid, row: Number(row), column: Number(col) };
}
