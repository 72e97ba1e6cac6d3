import { readCount, readSize } from './counts.js';
import { askMods } from './mods.js';
import { maskOptions, readOptions } from './options.js';
import { record } from './record.js';
import { Settings } from './settings.js';
import { BooleanTensor } from './tensor.js';

const sizeNames = ['queries', 'keys', 'heads', 'batch'];

/**
 * Which keys each query may attend to under these options: [queries, keys], with `heads` [heads, queries, keys], with
 * `batch` [batch, heads, queries, keys].
 * @param {import('./core.js').Core} core
 * @param {unknown} options
 */
export function mask(core, options) {
  const given = record('options', options, [...sizeNames, ...maskOptions]);
  const { queries, keys, heads, batch, ...restrictions } = given;
  const shape = {
    batch: batch === undefined ? 1 : readCount('batch', batch),
    queryHeads: heads === undefined ? 1 : readCount('heads', heads),
    kvHeads: 1,
    queries: readSize('queries', queries),
    keys: readSize('keys', keys),
    queryDim: 1,
    keyDim: 1,
    valueDim: 1,
  };
  const settings = readOptions(restrictions, maskOptions, new Settings(), shape);
  askMods(core, 'mask', shape, settings);
  const { layout, tensors, wire } = settings;
  const leading = [
    ...(batch === undefined ? [] : [shape.batch]),
    ...(batch === undefined && heads === undefined ? [] : [shape.queryHeads]),
  ];
  const cells = [...leading, shape.queries, shape.keys];
  tensors.output = layout.add('mask', Uint8Array, cells);
  const { result, base, memory } = core.executeCall(
    'mask', { shape, wire, tensors, layout }, (raw, bytes) => raw._prepareMask(bytes), (raw) => raw._mask(),
  );
  core.expectOk('mask', result, layout);
  return new BooleanTensor(memory.read(Uint8Array, base + tensors.output, cells), cells);
}
