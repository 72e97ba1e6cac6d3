import { refusals } from '../errors.js';
import { requireRoom, writeInto } from '../out.js';

/** @typedef {import('./background.js').Waiting} Waiting */
/** @typedef {import('./part-runner.js').Part} Part */

/** What there is of a job's result; parts come in any order. */
export class Progress {
  done = 0;
  /** @type {Set<number>} */
  seats = new Set();
  run = { status: 0, flops: 0, tilesVisited: 0, tilesSkipped: 0, workingBytes: 0, threads: 0 };
  /** @type {Float32Array[]} */
  collected = [];

  /** @param {Waiting} job */
  constructor(job) {
    this.job = job;
  }

  /** Where the outputs of a part lie. @param {Part} part */
  outputsOf(part) {
    return this.slices(part).map(({ place, start, count }) => ({ place: place + start * Float32Array.BYTES_PER_ELEMENT, count }));
  }

  /** @param {Part} part @param {import('./part-runner.js').Answer} answer @param {number} seat who computed it */
  add(part, { run, outputs }, seat) {
    const { job, job: { split: { tiles }, onProgress } } = this;
    const sum = this.run;
    sum.status = run.status;
    sum.flops += run.flops;
    sum.tilesVisited += run.tilesVisited;
    sum.tilesSkipped += run.tilesSkipped;
    sum.threads = this.seats.add(seat).size;
    sum.workingBytes = run.workingBytes * sum.threads; // every part takes the same scratch
    this.done += part.last - part.first;
    try {
      if (run.status === 0) this.collect(part, outputs);
      onProgress?.(this.done / tiles);
    } catch (problem) {
      job.reject(problem);
    }
  }

  /** Whether further parts are wanted. */
  get isWanted() {
    return !this.job.settled && this.run.status === 0;
  }

  /** The result, undefined while something is missing. @returns {import('./background.js').Outcome | undefined} */
  get outcome() {
    const [run, outputs] = [this.run, this.collected];
    return run.status !== 0 || this.done === this.job.split.tiles ? { run, outputs } : undefined;
  }

  /** @param {Part} part @param {Float32Array[]} outputs */
  collect(part, outputs) {
    this.slices(part).forEach(({ name, array, start, count, all }, index) => {
      if (!array && count === all && outputs[index].buffer instanceof ArrayBuffer) {
        this.collected[index] = outputs[index];
        return;
      }
      try {
        this.collected[index] ??= array ?? new Float32Array(all);
      } catch {
        throw refusals.outOfMemory(this.job.name, all * Float32Array.BYTES_PER_ELEMENT);
      }
      requireRoom(name, this.collected[index], start + count);
      writeInto(this.collected[index], outputs[index], start);
    });
  }

  /** The values of a part in each output. @param {Part} part */
  slices({ first, last }) {
    const { split, outputs } = this.job;
    const [from, to] = [split.rowOf(first), split.rowOf(last)];
    return outputs.map(({ count: all, ...output }) => {
      const width = all / Math.max(1, split.rows);
      return { ...output, all, start: from * width, count: (to - from) * width };
    });
  }
}
