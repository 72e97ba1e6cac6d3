/**
 * Attention written down once more, independently of the core and as slowly as it comes: plain numbers, one head at a
 * time. `allow(b, h, i, j)` says what is visible; tensors are of rank 4.
 * @param {import('./tensors.js').Flat} q @param {import('./tensors.js').Flat} k @param {import('./tensors.js').Flat} v
 * @param {(b: number, h: number, i: number, j: number) => boolean} allow
 */
export function formula(q, k, v, allow) {
  const [batch, queryHeads, queries, d] = q.shape;
  const [, kvHeads, keys] = k.shape;
  const valueDim = v.shape[3];
  const scale = 1 / Math.sqrt(d);
  const output = [];
  const weights = [];
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < queryHeads; h++) {
      const kv = b * kvHeads + Math.floor((h * kvHeads) / queryHeads);
      for (let i = 0; i < queries; i++) {
        const query = ((b * queryHeads + h) * queries + i) * d;
        const scores = Array.from({ length: keys }, (_, j) => {
          let dot = 0;
          for (let c = 0; c < d; c++) dot += q.data[query + c] * k.data[(kv * keys + j) * d + c];
          return allow(b, h, i, j) ? scale * dot : -Infinity;
        });
        const max = Math.max(-Infinity, ...scores);
        const powers = scores.map((score) => (max === -Infinity ? 0 : Math.exp(score - max)));
        const sum = powers.reduce((a, c) => a + c, 0);
        const row = powers.map((power) => (sum === 0 ? 0 : power / sum));
        weights.push(...row);
        for (let c = 0; c < valueDim; c++) {
          output.push(row.reduce((total, weight, j) => total + (weight === 0 ? 0 : weight * v.data[(kv * keys + j) * valueDim + c]), 0));
        }
      }
    }
  }
  return { output, weights };
}
