// A sequence that is fed in pieces: the queries of each piece see all keys so far.
import { describe, test } from 'node:test';
import { assertClose } from './support/close.js';
import { engines } from './support/engines.js';
import { randomFrom } from './support/random.js';

/** Rows `from` to `to` of every head. @param {import('./support/tensors.js').Flat} x @param {number} from @param {number} to */
function rows({ data, shape: [heads, length, width] }, from, to) {
  const parts = Array.from({ length: heads }, (_, h) => [...data.subarray((h * length + from) * width, (h * length + to) * width)]);
  return { data: Float32Array.from(parts.flat()), shape: [heads, to - from, width] };
}

for (const { variant, engine } of engines) {
  describe(`chunks (${variant})`, () => {
    for (const [name, kvHeads, options] of /** @type {[string, number, object][]} */ ([['causal', 4, {}], ['windowed', 4, { window: 3 }], ['grouped heads', 2, {}], ['grouped heads, windowed', 1, { window: 3 }]])) {
      test(`A20: 8 tokens in pieces are one pass within 1e-6: ${name}`, () => {
        const random = randomFrom(20);
        const [q, k, v] = [random.tensor([4, 8, 6]), random.tensor([kvHeads, 8, 6]), random.tensor([kvHeads, 8, 3])];
        const settings = { causal: true, ...options };
        const whole = engine.attention(q, k, v, settings).output;
        for (const pieces of [[8], [1, 1, 1, 1, 1, 1, 1, 1], [3, 1, 4]]) {
          let from = 0;
          for (const piece of pieces) {
            const to = from + piece;
            const { output } = engine.attention(rows(q, from, to), rows(k, 0, to), rows(v, 0, to), settings);
            assertClose(output.data, rows({ data: /** @type {Float32Array} */ (whole.data), shape: whole.shape }, from, to).data, 1e-6, `rows ${from} to ${to}`);
            from = to;
          }
        }
      });
    }
  });
}
