import { Layout } from './layout.js';
import { readRows } from './rows.js';
import { Tensor } from './tensor.js';

/**
 * Σ over the last axis, in float64: [rows, columns] → [rows].
 * @param {import('./core.js').Core} core
 * @param {unknown} x rank 2 to 4
 */
export function rowSums(core, x) {
  const { view, leading, rows, columns } = readRows('x', x, [2, 3, 4]);
  const layout = new Layout();
  const input = layout.addInput('x', Float64Array, view);
  const output = layout.add('sums', Float64Array, leading);
  const { base, memory } = core.execute(
    'rowSums', layout, (raw) => raw._reserve(layout.bytes),
    (raw, address) => raw._rowSums(address + input, rows, columns, address + output),
  );
  return new Tensor(memory.read(Float64Array, base + output, leading), leading);
}
