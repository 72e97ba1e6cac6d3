import createModule from '../../../build/generated/glue.js';
import { unpack } from '../unpack.js';

/**
 * Where parts of calls are computed. Questions are asked one at a time.
 * @typedef {object} Thread
 * @property {(request: import('./part-runner.js').Request, transfer?: Transferable[]) => Promise<any>} ask rejects if the thread has died
 * @property {number} sliceMs how long a part had best take
 * @property {(busy: boolean) => void} hold whether a process has to wait for it
 * @property {() => void} end
 */

/** What both kinds of workers can do. @typedef {{ post: (message: unknown, transfer?: Transferable[]) => void, hold: Thread['hold'], end: () => void }} Channel */
/** @typedef {(source: string, receive: (message: any) => void, fail: (why: string) => void) => Channel} Open */

/** A part costs a message to and fro, some 0.1 ms; an aborted call keeps the next one waiting for the part at hand. */
const sliceMs = 50;

/**
 * A worker, made from texts that are part of this package: the glue's own, and what is around it there.
 * @param {WebAssembly.Module} module
 * @returns {Promise<Thread>} Rejects where no worker can be started.
 */
export async function startWorker(module) {
  const script = new TextDecoder().decode(unpack(await import('../../../build/generated/worker.js')));
  const source = `const createModule = ${createModule};\n${script}`;
  /** The question that is open. @type {{ resolve: (answer: any) => void, reject: (why: Error) => void } | undefined} */
  let open;
  /** @type {Error | undefined} */
  let dead;
  const receive = (/** @type {any} */ message) => open?.resolve(message);
  const fail = (/** @type {string} */ why) => {
    dead ??= new Error(why);
    open?.reject(dead);
  };
  const channel = kindOfWorker()(source, receive, fail);
  const ask = (/** @type {unknown} */ message, /** @type {Transferable[]} */ transfer = []) =>
    new Promise((resolve, reject) => {
      open = { resolve, reject };
      if (dead) reject(dead);
      else channel.post(message, transfer);
    });
  const end = () => {
    fail('it was ended');
    channel.end();
  };
  try {
    if (!(await ask({ module }))) throw new Error('the engine does not start there');
  } catch (why) {
    end();
    throw why;
  }
  return { ask, sliceMs, hold: channel.hold, end };
}

/** @returns {Open} */
function kindOfWorker() {
  const host = /** @type {{ process?: { getBuiltinModule?: (name: string) => any } }} */ (globalThis);
  const threads = host.process?.getBuiltinModule?.('worker_threads');
  // Some packages make Node's own class global, which is no worker of a page.
  if (typeof Worker === 'function' && Worker !== threads?.Worker) return openWorker;
  if (!threads) throw new Error('there are none');
  return (source, receive, fail) => openThread(threads, source, receive, fail);
}

/** A worker of a page. @type {Open} */
function openWorker(source, receive, fail) {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const loaded = () => URL.revokeObjectURL(url);
  try {
    const worker = new Worker(url, { name: 'attn-widgets' });
    worker.onmessage = ({ data }) => {
      loaded();
      receive(data);
    };
    worker.onerror = (event) => {
      loaded();
      event.preventDefault();
      fail(event.message || 'its script was not let in');
    };
    return { post: (message, transfer = []) => worker.postMessage(message, transfer), hold() {}, end: () => worker.terminate() };
  } catch (problem) {
    loaded();
    throw problem;
  }
}

/** A thread of Node. @param {typeof import('node:worker_threads')} threads @param {Parameters<Open>} rest @returns {Channel} */
function openThread(threads, ...[source, receive, fail]) {
  const worker = new threads.Worker(source, { eval: true, execArgv: [], name: 'attn-widgets' });
  worker.on('message', receive);
  worker.on('error', (/** @type {Error} */ problem) => fail(problem.message));
  worker.on('exit', () => fail('it ended'));
  return {
    post: (message, transfer = []) => worker.postMessage(message, /** @type {any} */ (transfer)),
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    end: () => worker.terminate(),
  };
}
