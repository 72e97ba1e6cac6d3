/** @typedef {import('./tensors.js').Flat} Flat */

/** Rows [from, from + count) of the next to last axis. @param {Flat} tensor @param {number} from @param {number} count @returns {Flat} */
export function rowRange({ data, shape }, from, count) {
  const [length, width] = shape.slice(-2);
  const matrices = data.length / (length * width);
  const part = new Float32Array(matrices * count * width);
  for (let m = 0; m < matrices; m++) part.set(data.subarray((m * length + from) * width, (m * length + from + count) * width), m * count * width);
  return { data: part, shape: [...shape.slice(0, -2), count, width] };
}
