import { leadingAxes, readQueriesAndKeys } from './inputs.js';
import { readOptions, scoreOptions } from './options.js';
import { Settings } from './settings.js';
import { Tensor } from './tensor.js';

/**
 * What the softmax of `attention` would see: after scale, softcap, bias and masks, −Infinity where masked.
 * @param {import('./core.js').Core} core
 * @param {unknown} q @param {unknown} k @param {unknown} options
 */
export function scores(core, q, k, options) {
  const { query, key, shape } = readQueriesAndKeys(q, k);
  const settings = readOptions(options, scoreOptions, new Settings(), shape);
  const { layout, tensors, wire } = settings;
  const cells = [...leadingAxes(query), shape.queries, shape.keys];
  tensors.query = layout.addInput('q', Float32Array, query);
  tensors.key = layout.addInput('k', Float32Array, key);
  tensors.scores = layout.add('scores', Float32Array, cells);
  const { result, base, memory } = core.execute(
    'scores', layout, (raw) => raw._prepareScores(shape, wire, tensors, layout.bytes), (raw) => raw._scores(),
  );
  core.expectOk('scores', result, layout);
  return new Tensor(memory.read(Float32Array, base + tensors.scores, cells), cells);
}
