import { randomFrom } from './random.js';

/**
 * Random calls with every option, as many and large enough for five threads.
 * @param {number} seed @param {number} count @returns {Iterable<[any, any, any, any]>}
 */
export function* largeCalls(seed, count) {
  const random = randomFrom(seed);
  for (let round = 0; round < count; round++) {
    const [batch, kvHeads, queries, keys] = [random.whole(1, 3), random.whole(1, 3), random.whole(40, 500), random.whole(40, 500)];
    const [group, d, dv] = [random.whole(1, 3), random.whole(1, 80), random.whole(1, 80)];
    const leading = random.pick([(/** @type {number} */ h) => [batch, h], (/** @type {number} */ h) => [h]]);
    const [b] = leading(1);
    const heads = kvHeads * group * Math.ceil(2 ** 26 * 2.6 / (2 * b * kvHeads * group * queries * keys * (d + dv)));
    const flags = (/** @type {number[]} */ ...shape) => ({ data: Uint8Array.from({ length: shape.reduce((x, y) => x * y) }, () => Number(random.next() < 0.7)), shape, dtype: 'bool' });
    const [q, k, v] = [random.tensor([...leading(heads), queries, d]), random.tensor([...leading(kvHeads), keys, d]), random.tensor([...leading(kvHeads), keys, dv])];
    if (round % 5 === 0) q.data[d * (queries - 3)] = 3e38;
    const cells = queries * keys * heads * b;
    yield [q, k, v, {
      causal: random.next() < 0.4,
      ...random.pick([{}, { allow: flags(queries, keys) }, { allow: flags(heads, 1, keys) }, { allow: flags(queries, 1) }, { allow: flags(heads, queries, keys) }]),
      ...random.pick([{}, { bias: random.tensor([heads, queries, keys]) }, { bias: random.tensor([1, queries, keys]) }, { bias: random.tensor([keys]) }]),
      ...random.pick([{}, { window: 190, queryOffset: 3 }, { softcap: 2, scale: 0.3 }, { tile: { queries: random.whole(7, 90), keys: 33 } }]),
      ...random.pick([{}, { allowKeys: flags(keys) }, { keyLengths: Array.from({ length: b ?? 1 }, () => random.whole(0, keys)) }, { blocks: { size: [24, 40], allow: flags(Math.ceil(queries / 24), Math.ceil(keys / 40)) } }]),
      ...random.pick([{}, { scoring: { kind: 'cosine' } }, { scoring: { kind: 'general', w: random.tensor([d, d]) } }]),
      emptyRows: random.pick(['zero', 'nan', 'uniform']),
      returnWeights: cells < 4e6 && random.next() < 0.5,
      returnScores: cells < 4e6 && random.next() < 0.2,
      returnLogSumExp: random.next() < 0.5,
    }];
  }
}
