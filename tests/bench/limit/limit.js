// What this machine can do at most in WebAssembly, for everything else to be compared with.
import { callsPerSample, timeMany, warmUp } from '../suite/clock.js';
import { median } from '../suite/statistics.js';
import { accumulators, bytesPerRead, flopsPerTurn, maddModule, mulAddModule, readModule } from './programs.js';

/** As many turns as take some microseconds: long enough for the call not to matter, short enough to be replaced by better code soon. */
const turns = 2000;
const largestRead = 64 * 2 ** 20;

/** @typedef {() => Promise<number>} Meter takes one sample, in GFLOP/s or GB/s */
/** @typedef {(...args: number[]) => number} Exported */

/** @param {() => number} call @param {number} amount of work in one @returns {Promise<Meter>} */
async function meter(call, amount) {
  const count = callsPerSample(await warmUp(call, { atLeastMs: 100, atMostMs: 300 }));
  return async () => amount / (await timeMany(call, count)) / 1e6;
}

/** @param {Meter} sample */
async function several(sample) {
  const samples = [];
  for (let i = 0; i < 5; i++) samples.push(await sample());
  return samples;
}

/** The faster of the loops in a module. @param {Uint8Array<ArrayBuffer>} bytes */
async function bestArithmetic(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes);
  /** @type {{ sums: number, sample: Meter, gflops: number }[]} */
  const loops = [];
  for (const [i, run] of Object.values(instance.exports).entries()) {
    const sums = accumulators[i];
    const sample = await meter(() => /** @type {Exported} */ (run)(turns), turns * flopsPerTurn(sums));
    loops.push({ sums, sample, gflops: median(await several(sample)) });
  }
  return loops.reduce((best, each) => (each.gflops > best.gflops ? each : best));
}

/** Reading `bytes` again and again. @param {Exported} read @param {number} bytes */
function reader(read, bytes) {
  const whole = Math.min(largestRead, Math.ceil(bytes / bytesPerRead) * bytesPerRead);
  return meter(() => read(0, whole), whole);
}

/** Microseconds in which numbers of a module's memory become an array of their own, as every result does. @param {Float32Array} numbers */
async function copying(numbers) {
  const copy = () => numbers.slice();
  const count = callsPerSample(await warmUp(copy, { atLeastMs: 100, atMostMs: 300 }));
  return several(async () => 1000 * (await timeMany(copy, count)));
}

/**
 * @typedef {object} Limit
 * @property {Meter} mulAdd GFLOP/s of multiplications and additions apart
 * @property {(bytes: number) => Promise<Meter>} reading GB/s over a memory of that size
 * @property {{ name: string, unit: string, samples: number[] }[]} figures
 * @property {string | undefined} withoutRelaxed why there is no figure of fused multiplications and additions
 */

/** @returns {Promise<Limit>} */
export async function measureLimit() {
  const mulAdd = await bestArithmetic(mulAddModule());
  const relaxed = WebAssembly.validate(maddModule());
  const figures = [{ name: `mul+add, ${mulAdd.sums} accumulators`, unit: 'GFLOP/s', samples: await several(mulAdd.sample) }];
  if (relaxed) {
    const madd = await bestArithmetic(maddModule());
    figures.push({ name: `relaxed madd, ${madd.sums} accumulators`, unit: 'GFLOP/s', samples: await several(madd.sample) });
  }
  const { instance } = await WebAssembly.instantiate(readModule(largestRead));
  const { read, memory } = instance.exports;
  // Pages nobody wrote to may all be the same page of zeros, which fits any cache.
  new Float32Array(/** @type {WebAssembly.Memory} */ (memory).buffer).fill(1e-3);
  const reading = (/** @type {number} */ bytes) => reader(/** @type {Exported} */ (read), bytes);
  for (const [name, bytes] of /** @type {[string, number][]} */ ([['256 KiB', 2 ** 18], ['4 MiB', 2 ** 22], ['64 MiB', 2 ** 26]])) {
    figures.push({ name: `reading ${name}`, unit: 'GB/s', samples: await several(await reading(bytes)) });
  }
  // Where the system takes long to hand out memory, this is much of a short call, whosever it is.
  for (const [name, bytes] of /** @type {[string, number][]} */ ([['16 KiB', 2 ** 14], ['256 KiB', 2 ** 18]])) {
    const samples = await copying(new Float32Array(/** @type {WebAssembly.Memory} */ (memory).buffer, 0, bytes / 4));
    figures.push({ name: `copying ${name} to a new array`, unit: 'µs', samples });
  }
  return { mulAdd: mulAdd.sample, reading, figures, withoutRelaxed: relaxed ? undefined : 'this JavaScript engine has no relaxed SIMD' };
}
