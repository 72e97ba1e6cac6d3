import { Layout } from './layout.js';
import { boolean, choice } from './option-values.js';
import { record } from './record.js';
import { readRows } from './rows.js';
import { Tensor } from './tensor.js';

/** attn::Precision, in its order. */
const precisions = ['f32', 'f16', 'bf16'];

/**
 * exp(x − max) / Σ exp(x − max) along the last axis; in less than float32, or without the maximum, for showing what
 * becomes of it.
 * @param {import('./core.js').Core} core
 * @param {unknown} x rank 1 to 4
 * @param {unknown} options
 */
export function softmax(core, x, options = {}) {
  const { view, rows, columns } = readRows('x', x, [1, 2, 3, 4]);
  const { precision = 'f32', stable = true } = record('options', options, ['precision', 'stable']);
  const kind = choice('precision', precisions, precision);
  const subtracting = boolean('stable', stable);
  const layout = new Layout();
  const input = layout.addInput('x', Float32Array, view);
  const output = layout.add('result', Float32Array, view.shape);
  const { base, memory } = core.execute(
    'softmax', layout, (raw) => raw._reserve(layout.bytes),
    (raw, address) => raw._softmax(address + input, rows, columns, kind, subtracting, address + output),
  );
  return new Tensor(memory.read(Float32Array, base + output, view.shape), view.shape);
}
