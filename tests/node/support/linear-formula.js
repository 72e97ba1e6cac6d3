/** @typedef {import('./tensors.js').Flat} Flat */

/** @type {Record<string, (x: number) => number>} */
const maps = { 'elu+1': (x) => (x > 0 ? x + 1 : Math.exp(x)), relu: (x) => Math.max(x, 0), identity: (x) => x };

/** Reads [B, Hk, nk, width], or without the last axis, where sizes of 1 repeat. @param {any} tensor @param {number} b @param {number} h @param {number} j @param {number} c */
function at({ data, shape }, b, h, j, c) {
  const [batch, heads, keys, width = 1] = shape;
  return data[(((batch === 1 ? 0 : b) * heads + (heads === 1 ? 0 : h)) * keys + (keys === 1 ? 0 : j)) * width + (width === 1 ? 0 : c)];
}

/**
 * Linear attention written down once more, as slowly as it comes: every query begins again from the first state.
 * @param {Flat} q @param {Flat} k @param {Flat} v all of rank 4
 * @param {any} options
 */
export function linearFormula(q, k, v, { rule, decay, beta, state, featureMap, normalize, causal, scale }) {
  const [batch, queryHeads, queries, d] = q.shape;
  const [, kvHeads, keys] = k.shape;
  const dv = v.shape[3];
  const kernel = rule === undefined;
  const phi = maps[featureMap ?? (kernel ? 'elu+1' : 'identity')];
  const normalized = normalize ?? kernel;
  const width = dv + (normalized ? 1 : 0);

  const stateAfter = (/** @type {number} */ b, /** @type {number} */ h, /** @type {number} */ seen) => {
    const start = (b * kvHeads + h) * d * width;
    let s = Array.from({ length: d }, (_, c) => Array.from({ length: width }, (__, w) => (state ? state.data[start + c * width + w] : 0)));
    for (let j = 0; j < seen; j++) {
      const place = (b * kvHeads + h) * keys + j;
      const key = Array.from({ length: d }, (_, c) => phi(k.data[place * d + c]));
      const value = Array.from({ length: width }, (_, w) => (w < dv ? v.data[place * dv + w] : 1));
      if (decay) s = s.map((row, c) => row.map((x) => x * Math.exp(at(decay, b, h, j, c))));
      const before = s;
      const update = value.map((x, w) => (beta ? at(beta, b, h, j, 0) * (x - before.reduce((sum, row, c) => sum + row[w] * key[c], 0)) : x));
      s = s.map((row, c) => row.map((x, w) => x + key[c] * update[w]));
    }
    return s;
  };

  const output = [];
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < queryHeads; h++) {
      for (let i = 0; i < queries; i++) {
        const seen = causal ?? !kernel ? Math.max(0, i + 1 + keys - queries) : keys;
        const s = stateAfter(b, Math.floor((h * kvHeads) / queryHeads), seen);
        const query = Array.from({ length: d }, (_, c) => phi(q.data[((b * queryHeads + h) * queries + i) * d + c]));
        const read = (/** @type {number} */ w) => s.reduce((sum, row, c) => sum + row[w] * query[c], 0);
        for (let w = 0; w < dv; w++) {
          if (!normalized) output.push((scale ?? (kernel ? 1 : 1 / Math.sqrt(d))) * read(w));
          else output.push(read(dv) === 0 ? 0 : read(w) / read(dv));
        }
      }
    }
  }
  const states = Array.from({ length: batch * kvHeads }, (_, n) => stateAfter(Math.floor(n / kvHeads), n % kvHeads, keys));
  return { output, state: states.flat(2), stateShape: [batch, kvHeads, d, width] };
}
