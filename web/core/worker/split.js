/** @typedef {import('../layout.js').Layout} Layout */
/** @typedef {import('./part-runner.js').Part} Part */

/**
 * What an input is read of: steps from one batch entry, head and query to the next, and how much from there on, in values.
 * @typedef {{ batch: number, head: number, query: number, width: number, perHead?: number }} Reach
 */

/** As much as makes a thread worth its messages and its copies of the inputs: about a millisecond with SIMD. */
const flopsOfThread = 2 ** 25;

/** Even the scalar build does as much in a millisecond: for the first part, before there is any other measure. */
const flopsAtLeast = 2 ** 21;

/**
 * How a planned call is cut into parts (`attn::Part`): query tiles, counted through the queries of a head, then the heads,
 * then the batch. A thread only gets the inputs that its parts read, where the layout of the whole call puts them.
 */
export class Split {
  /** @param {import('../attention-call.js').Plan} plan @param {number} tileQueries */
  constructor({ shape, settings: { layout, tensors, wire } }, tileQueries) {
    const { batch, queryHeads, queries, keys, queryDim, valueDim } = shape;
    const visible = wire.windowLeft + wire.windowRight + 1;
    this.shape = shape;
    this.layout = layout;
    this.tileQueries = tileQueries;
    this.tilesPerHead = Math.ceil(queries / tileQueries);
    this.rows = batch * queryHeads * queries;
    /** One at least, which may be empty. */
    this.tiles = Math.max(1, batch * queryHeads * this.tilesPerHead);
    /** An upper bound. */
    this.flops = 2 * this.rows * (visible < keys ? visible : keys) * (queryDim + valueDim);
    this.reaches = layout.inputs.map(({ place, count }) => reachOf(place, count, shape, tensors, wire));
  }

  /** How many of the threads there are the call is worth. @param {number} threads */
  worth(threads) {
    return Math.max(1, Math.min(threads, this.tiles, Math.floor(this.flops / flopsOfThread)));
  }

  /** Tiles that no thread takes longer for. @param {number} ms */
  tilesWithin(ms) {
    return Math.max(1, Math.floor((flopsAtLeast * ms * this.tiles) / Math.max(1, this.flops)));
  }

  /** The first of the rows that a tile has, through all heads. @param {number} tile */
  rowOf(tile) {
    const { tilesPerHead, tileQueries, shape, rows } = this;
    return rows && Math.min(rows, Math.floor(tile / tilesPerHead) * shape.queries + (tile % tilesPerHead) * tileQueries);
  }

  /**
   * The bytes of the inputs that a part reads and a thread has not got yet, as [begin, end) in the layout.
   * @param {Part} part @param {[number, number][]} had the bytes it has of each input, one piece; brought up to date
   */
  lacking({ first, last }, had) {
    const { tilesPerHead, tileQueries, shape: { queryHeads, queries } } = this;
    /** @type {[number, number][]} */
    const pieces = [];
    this.layout.inputs.forEach(({ place, type: { BYTES_PER_ELEMENT: size } }, input) => {
      const { batch, head, query, width, perHead = 1 } = this.reaches[input];
      let piece = (had[input] ??= [0, 0]);
      for (let each = Math.floor(first / tilesPerHead); each * tilesPerHead < last; each++) {
        const from = Math.max(0, first - each * tilesPerHead) * tileQueries;
        const to = Math.min(queries, (last - each * tilesPerHead) * tileQueries);
        const origin = Math.floor(each / queryHeads) * batch + Math.floor((each % queryHeads) / perHead) * head;
        const begin = place + size * (origin + from * query);
        const end = place + size * (origin + (to - 1) * query + width);
        if (begin < piece[0] || begin > piece[1]) had[input] = piece = [begin, begin];
        if (end <= piece[1]) continue;
        const previous = pieces[pieces.length - 1];
        if (previous?.[1] === piece[1]) previous[1] = end;
        else pieces.push([piece[1], end]);
        piece[1] = end;
      }
    });
    return pieces;
  }
}

/**
 * @param {number} place @param {number} count @param {import('../inputs.js').CallShape} shape
 * @param {import('../settings.js').Settings['tensors']} tensors @param {import('../settings.js').Settings['wire']} wire
 * @returns {Reach}
 */
function reachOf(place, count, { queryHeads, kvHeads, queries, keys, queryDim, keyDim, valueDim }, tensors, wire) {
  const perQuery = (/** @type {number} */ width) => ({ batch: queryHeads * queries * width, head: queries * width, query: width, width });
  const perKeyHead = (/** @type {number} */ width) => ({ batch: kvHeads * width, head: width, query: 0, width, perHead: queryHeads / kvHeads });
  if (place === tensors.query) return perQuery(queryDim);
  if (place === tensors.key) return perKeyHead(keys * keyDim);
  if (place === tensors.value) return perKeyHead(keys * valueDim);
  if (place === wire.scoring.scores) return perQuery(keys);
  for (const repeated of [wire.allow, wire.bias]) {
    if (place === repeated.place) return { ...repeated, width: (keys - 1) * repeated.key + 1 };
  }
  return { batch: 0, head: 0, query: 0, width: count };
}
