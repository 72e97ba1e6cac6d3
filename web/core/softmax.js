import { refusals } from './errors.js';
import { Layout } from './layout.js';
import { record } from './record.js';
import { readRows } from './rows.js';
import { Tensor } from './tensor.js';

/**
 * exp(x − max) / Σ exp(x − max) along the last axis, in float32. A NaN or +Infinity makes its row NaN; −Infinity gives 0.
 * @param {import('./core.js').Core} core
 * @param {unknown} x rank 1 to 4
 * @param {unknown} options
 */
export function softmax(core, x, options = {}) {
  const { view, rows, columns } = readRows('x', x, [1, 2, 3, 4]);
  const { precision = 'f32', stable = true } = record('options', options, ['precision', 'stable']);
  if (precision !== 'f32') throw refusals.choice('precision', ['f32'], precision);
  if (stable !== true) throw refusals.only('stable', 'true', stable);
  const layout = new Layout();
  const input = layout.addInput('x', Float32Array, view);
  const output = layout.add('result', Float32Array, view.shape);
  const { base, memory } = core.execute(
    'softmax', layout, (raw) => raw._reserve(layout.bytes),
    (raw, address) => raw._softmax(address + input, rows, columns, address + output),
  );
  return new Tensor(memory.read(Float32Array, base + output, view.shape), view.shape);
}
