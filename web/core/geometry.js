import { refusals } from './errors.js';
import { Layout } from './layout.js';
import { ofRank, readTensor } from './tensor-input.js';
import { Tensor } from './tensor.js';

/**
 * What a dot product is made of, q·k = |q| |k| cos(angle), in float64.
 * @param {import('./core.js').Core} core
 * @param {unknown} query [d]
 * @param {unknown} keys [nk, d]
 * @returns {import('./types.js').GeometryResult}
 */
export function geometry(core, query, keys) {
  const q = readTensor('query', query, ofRank('query', [1]));
  const k = readTensor('keys', keys, ofRank('keys', [2]));
  const [count, dim] = k.shape;
  if (dim !== q.shape[0]) throw refusals.sameSize('keys', 'width', q.shape[0], 'query', dim);
  const layout = new Layout();
  const queryPlace = layout.addInput('query', Float64Array, q);
  const keysPlace = layout.addInput('keys', Float64Array, k);
  const length = layout.add('queryLength', Float64Array, [1]);
  const lengths = layout.add('keyLengths', Float64Array, [count]);
  const dots = layout.add('dots', Float64Array, [count]);
  const angles = layout.add('angles', Float64Array, [count]);
  const { base, memory } = core.execute(
    'geometry', layout, (raw) => raw._reserve(layout.bytes),
    (raw, at) => raw._geometry(at + queryPlace, at + keysPlace, count, dim, at + length, at + lengths, at + dots, at + angles),
  );
  const read = (/** @type {number} */ place) => new Tensor(memory.read(Float64Array, base + place, [count]), [count]);
  return {
    queryLength: memory.read(Float64Array, base + length, [1])[0],
    keyLengths: read(lengths),
    dots: read(dots),
    angles: read(angles),
  };
}
