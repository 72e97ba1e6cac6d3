// Calls that take more than one method of the engine. As text for C++ they are calls like any other.

/** @typedef {import('./tensors.js').Values} Values */

/** @type {Record<string, (engine: any, inputs: Record<string, Values>, options: Record<string, any>) => any>} */
export const compounds = {
  /** Appends keys and values in two chunks, the first of `chunk` keys, then attends. */
  createKvCache(engine, { q, k, v }, { dtype, chunk, ...options }) {
    const [batch, kvHeads, , headDim] = k.shape;
    const cache = engine.createKvCache({ batch, kvHeads, headDim, valueDim: v.shape[3], dtype });
    cache.append(rowsOf(k, 0, chunk), rowsOf(v, 0, chunk));
    cache.append(rowsOf(k, chunk, k.shape[2]), rowsOf(v, chunk, v.shape[2]));
    const result = cache.attend(q, options);
    cache.dispose();
    return result;
  },
};

/** Rows from ≤ i < to of every head. @param {Values} tensor [B, H, n, w] @param {number} from @param {number} to */
function rowsOf({ shape, data }, from, to) {
  const [batch, heads, length, width] = shape;
  const rows = Array.from({ length: batch * heads }, (_, head) => data.subarray((head * length + from) * width, (head * length + to) * width));
  return { shape: [batch, heads, to - from, width], data: Float64Array.from(rows.flatMap((part) => [...part])) };
}
