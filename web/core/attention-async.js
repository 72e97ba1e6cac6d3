import { entriesOf, planAttention, tensorsOf } from './attention-call.js';
import { reportOf, tiled } from './attention.js';
import { numbersOf } from './description.js';
import { asyncOptions } from './options.js';
import { reading } from './reading.js';
import { countOf } from './sizes.js';
import { reasonOf } from './worker/background.js';
import { Split } from './worker/split.js';

/**
 * `attention`, computed apart from the page, a large call on several threads. All that the caller hands over is read and
 * copied before this returns.
 * @param {import('./core.js').Core} core
 * @param {import('./worker/background.js').Background} background
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 * @returns {Promise<import('./types.js').AttentionResult>}
 */
export async function attentionAsync(core, background, q, k, v, options) {
  const plan = planAttention(core, { ...tiled, known: asyncOptions }, q, k, v, options);
  const { shape, settings: { signal, onProgress, layout, wire, tensors, arrays } } = plan;
  core.live('attentionAsync');
  core.requireFits(tiled.name, layout);
  if (signal && reading('signal', () => signal.aborted)) throw reasonOf(signal);

  const tile = core.guard(tiled.name, layout.bytes, (raw) => raw._tileSize(shape, wire.tileQueries, wire.tileKeys));
  const split = new Split(plan, tile.queries);
  const outputs = entriesOf(plan.outputs);
  const { run, outputs: values } = await background.run({
    name: tiled.name,
    call: { numbers: numbersOf({ shape, wire, tensors }), bytes: layout.bytes },
    split,
    threads: split.worth(background.pool.size),
    outputs: outputs.map(([name, size]) => ({ name, place: tensors[name], count: countOf(size), array: /** @type {Float32Array | undefined} */ (arrays[name]) })),
    signal,
    onProgress,
  });
  core.expectOk(tiled.name, run.status, layout);
  return { ...tensorsOf(plan, Object.fromEntries(outputs.map(([name], i) => [name, values[i]]))), report: reportOf(core, plan, run) };
}
