// The script of the worker. The build bundles it into one text, build/generated/worker.js, so that a worker can be started
// wherever the engine came from: a CDN, a blob: URL, a page on disk.
import { instantiate } from '../instance.js';
import { PartRunner } from './part-runner.js';
import { transferOf } from './transfer.js';

const host = /** @type {any} */ (globalThis);
/** A thread of Node talks through a port, a page's worker through its global object. @type {MessagePort} */
const port = host.process?.getBuiltinModule?.('worker_threads')?.parentPort ?? host;

/** @type {PartRunner} */
let runner;

port.onmessage = ({ data }) => {
  if (data.module) {
    instantiate(data.module).then((instance) => {
      runner = new PartRunner(data.module, instance);
      port.postMessage(true);
    }, () => port.postMessage(false)); // a page would not hear of a rejection in its worker
    return;
  }
  const answer = runner.answer(data);
  port.postMessage(answer, answer ? transferOf(answer.outputs) : []);
};
