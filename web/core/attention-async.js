import { entriesOf, planAttention, tensorsOf } from './attention-call.js';
import { reportOf, tiled } from './attention.js';
import { refusals } from './errors.js';
import { Memory } from './memory.js';
import { asyncOptions } from './options.js';
import { reading } from './reading.js';
import { countOf } from './sizes.js';
import { reasonOf } from './worker/background.js';

/**
 * `attention`, computed apart from the page. All that the caller hands over is read and copied before this returns.
 * @param {import('./core.js').Core} core
 * @param {import('./worker/background.js').Background} background
 * @param {unknown} q @param {unknown} k @param {unknown} v @param {unknown} options
 * @returns {Promise<import('./types.js').AttentionResult>}
 */
export async function attentionAsync(core, background, q, k, v, options) {
  const plan = planAttention(core, { ...tiled, known: asyncOptions }, q, k, v, options);
  const { signal, onProgress, layout, wire, tensors } = plan.settings;
  core.live('attentionAsync');
  core.requireFits(tiled.name, layout);
  if (signal && reading('signal', () => signal.aborted)) throw reasonOf(signal);

  const outputs = entriesOf(plan.outputs);
  const { run, outputs: values } = await background.run({
    name: tiled.name,
    call: { shape: plan.shape, wire, tensors, bytes: layout.bytes, image: imageOf(layout) },
    outputs: outputs.map(([name, size]) => ({ place: tensors[name], count: countOf(size) })),
    signal,
    onProgress,
  });
  core.expectOk(tiled.name, run.status, layout);
  return { ...tensorsOf(plan, (name) => values[outputs.findIndex(([other]) => other === name)]), report: reportOf(core, plan, run) };
}

/** The inputs of a call, where its layout puts them. @param {import('./layout.js').Layout} layout */
function imageOf(layout) {
  let buffer;
  try {
    buffer = new ArrayBuffer(layout.inputBytes);
  } catch {
    throw refusals.outOfMemory(tiled.name, layout.inputBytes);
  }
  new Memory({ buffer }).write(0, layout);
  return buffer;
}
