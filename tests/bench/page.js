// The benchmark's entry in a page: what run.mjs does in Node, with the same cases.
import { peersIn, ownVariants } from './contestants/peers.js';
import { runSuite } from './suite/suite.js';

/** Milliseconds in which a widget takes a new state and draws it. @param {number} times */
async function widgetTimes(times) {
  const elements = /** @type {string} */ ('/dist/elements.js');
  await import(elements);
  const widget = /** @type {any} */ (document.body.appendChild(document.createElement('attn-two-key')));
  await widget.ready;
  return Array.from({ length: times }, (_, i) => {
    widget.q = [Math.cos(i), Math.sin(i)];
    const start = performance.now();
    widget.performUpdate();
    return performance.now() - start;
  });
}

/** @param {import('./suite/suite.js').Choice} choice @param {Parameters<typeof peersIn>[0]} place */
async function run(choice, place) {
  const index = /** @type {string} */ ('/dist/index.js');
  const { loadEngine } = /** @type {{ loadEngine: import('./suite/package.js').LoadEngine }} */ (await import(index));
  const widget = await widgetTimes(300);
  const peers = [...(await ownVariants(loadEngine)), ...peersIn(place)];
  const suite = await runSuite({ loadEngine, peers, choice, log: (line) => console.info(`bench: ${line}`) });
  return { suite, widget: widget.slice(100) };
}

Object.assign(globalThis, { runBenchmark: run });
