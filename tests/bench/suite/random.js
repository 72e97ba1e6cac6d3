/** Roughly normal numbers, the same for the same seed in every JavaScript engine. @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    /** @param {number} length */
    normal: (length) => Float32Array.from({ length }, () => (next() + next() + next() + next() - 2) * 1.7),
  };
}
