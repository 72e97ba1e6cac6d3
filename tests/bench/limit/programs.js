// The programs that show what a machine can do at most: arithmetic that never leaves the registers, and reading alone.
import { assemble, op } from './assembler.js';

/** How many sums are kept at once. With fewer the machine waits for results, with more V8 runs out of registers. */
export const accumulators = [12, 13];

const unrolled = 4;
const vectorsPerRead = 8;
export const bytesPerRead = 16 * vectorsPerRead;

/** Multiplications and additions in one turn of the loop. @param {number} sums */
export const flopsPerTurn = (sums) => unrolled * sums * 4 * 2;

/** Counts the parameter `local` down by `step`. @param {number} local @param {number} step @param {number[]} body */
const countDown = (local, step, body) => op.doWhile([...body, ...op.get(local), ...op.i32Const(step), ...op.i32Sub, ...op.tee(local)]);

/** @param {number} first @param {number} count @returns {number[]} adds locals up and leaves the first lane */
const total = (first, count) => [
  ...op.get(first),
  ...Array.from({ length: count - 1 }, (_, i) => [...op.get(first + 1 + i), ...op.f32x4Add]).flat(),
  ...op.f32x4ExtractFirst,
];

/**
 * (turns) → f32: each sum s becomes s·a + b, over and over. The product depends on the sum, so that no compiler can take
 * it out of the loop, and with a = 0.999 and b = 0.001 nothing overflows or becomes subnormal.
 * @param {number} sums @param {boolean} fused
 * @returns {import('./assembler.js').Code}
 */
function arithmetic(sums, fused) {
  const [a, b] = [sums + 1, sums + 2];
  const step = Array.from({ length: sums }, (_, i) => {
    const [read, write] = [op.get(i + 1), op.set(i + 1)];
    return fused
      ? [...read, ...op.get(a), ...op.get(b), ...op.f32x4RelaxedMadd, ...write]
      : [...read, ...op.get(a), ...op.f32x4Mul, ...op.get(b), ...op.f32x4Add, ...write];
  }).flat();
  const start = (/** @type {number} */ local, /** @type {number} */ value) => [...op.f32Const(value), ...op.f32x4Splat, ...op.set(local)];
  return {
    name: `${fused ? 'madd' : 'mulAdd'}${sums}`,
    parameters: 1,
    vectors: sums + 2,
    body: [
      ...Array.from({ length: sums }, (_, i) => start(i + 1, i / 64)).flat(),
      ...start(a, 0.999),
      ...start(b, 0.001),
      ...countDown(0, 1, Array.from({ length: unrolled }, () => step).flat()),
      ...total(1, sums),
    ],
  };
}

/** (address, bytes) → f32: the sum of all that is there, for `bytes` a multiple of bytesPerRead. @returns {import('./assembler.js').Code} */
function reading() {
  const load = Array.from({ length: vectorsPerRead }, (_, i) => [...op.get(2 + i), ...op.get(0), ...op.v128Load(16 * i), ...op.f32x4Add, ...op.set(2 + i)]).flat();
  const advance = [...op.get(0), ...op.i32Const(bytesPerRead), ...op.i32Add, ...op.set(0)];
  return { name: 'read', parameters: 2, vectors: vectorsPerRead, body: [...countDown(1, bytesPerRead, [...load, ...advance]), ...total(2, vectorsPerRead)] };
}

export const mulAddModule = () => assemble(accumulators.map((sums) => arithmetic(sums, false)));

/** Refused by engines without relaxed SIMD. */
export const maddModule = () => assemble(accumulators.map((sums) => arithmetic(sums, true)));

/** @param {number} bytes to read at most */
export const readModule = (bytes) => assemble([reading()], Math.ceil(bytes / 65536));
