import { portionsOf } from './portions.js';
import { Progress } from './progress.js';
import { Shares } from './shares.js';
import { transferOf } from './transfer.js';

/** @typedef {import('./background.js').Waiting} Waiting */
/** @typedef {import('./part-runner.js').Part} Part */
/** @typedef {import('./thread.js').Thread} Thread */

/** All threads of a job are lost: they had not enough memory, or died, and of what else would they? */
export class Lost extends Error {}

/** Clocks of browsers are coarse: a shorter time may be none at all, in milliseconds. */
const shortest = 0.1;

/**
 * Computes a job part by part, each about as long as suits its thread, on as many threads as it is worth; no further parts
 * once nobody waits for it. What a thread has not done when it fails, the others do. Throws `Lost` if there are no others.
 * When this returns, no thread is at work any more.
 * @param {import('./pool.js').Pool} pool @param {Waiting} job @param {ArrayBufferLike} image the inputs
 */
export async function compute(pool, job, image) {
  const { split, threads } = job;
  const progress = new Progress(job);
  const shares = new Shares(split.tiles, threads);
  const portionFor = portionsOf(split, threads, image);
  const results = image instanceof ArrayBuffer || image.byteLength < split.layout.bytes ? undefined : image;
  /** Those that have not failed. @type {Map<number, Thread>} */
  const crew = new Map();

  const serve = async (/** @type {number} */ seat, /** @type {Thread} */ thread) => {
    crew.set(seat, thread);
    thread.hold(true);
    /** @type {[number, number][]} */
    const had = [];
    /** @type {Waiting['call'] | undefined} */
    let call = job.call;
    const ask = async (/** @type {Part} */ part) => {
      const inputs = portionFor(part, had);
      return thread.ask({ call, part, inputs, outputs: progress.outputsOf(part), results }, transferOf(inputs.map(({ bytes }) => bytes)));
    };
    let most = split.tilesWithin(thread.sliceMs);
    let part;
    while (progress.isWanted && (part = shares.take(seat, most))) {
      const start = performance.now();
      const answer = await ask(part).catch(() => undefined);
      if (!answer) {
        shares.giveBack(seat, part);
        crew.delete(seat);
        return pool.drop(seat);
      }
      call = undefined;
      most = Math.max(1, Math.floor((thread.sliceMs * (part.last - part.first)) / Math.max(performance.now() - start, shortest)));
      if (!job.settled) progress.add(part, answer, seat);
    }
    thread.hold(false);
  };

  const first = await pool.thread(0).catch(() => {
    pool.drop(0);
    throw new Lost();
  });
  let open = true;
  const working = [serve(0, first)];
  for (let seat = 1; seat < Math.min(threads, pool.size); seat++) {
    pool.thread(seat).then((thread) => (open ? working.push(serve(seat, thread)) : thread.hold(false)), () => {});
  }
  for (const each of working) await each; // also of those that join meanwhile
  open = false;
  for (const [seat, thread] of crew) {
    if (progress.isWanted && !progress.outcome) await serve(seat, thread);
  }
  if (!progress.outcome && !job.settled) throw new Lost();
  return progress.outcome;
}
