/** A small generator with a seed (mulberry32), so that a failing run can be repeated. @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    /** A whole number from `low` to `high`. @param {number} low @param {number} high */
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    /** @template T @param {readonly T[]} items */
    pick: (items) => items[Math.floor(next() * items.length)],
    /** A float32 tensor of roughly normal values. @param {number[]} shape @returns {import('./tensors.js').Flat} */
    tensor(shape) {
      const data = new Float32Array(shape.reduce((a, b) => a * b, 1));
      for (let i = 0; i < data.length; i++) data[i] = (next() + next() + next() + next() - 2) * 1.7;
      return { data, shape };
    },
  };
}
