// The public types of a trace.

/**
 * The online softmax at work, tile after tile as it went: for every batch entry, head and tile of queries all tiles of
 * keys, in this order.
 *
 * @typedef {object} Trace
 * @property {{ queries: number, keys: number }} tile the size of a tile; the last ones of an axis may be smaller
 * @property {TraceStep[]} tiles
 */

/**
 * What each query of a tile knew once this tile of keys was done. With m the largest score so far:
 *
 * max = m, sum = Σ exp(s − m), output = Σ exp(s − m) · v, over all visible keys up to here.
 *
 * So one step takes m' = max(m, scores of the tile), α = exp(m − m'), sum' = α·sum + Σ exp(s − m'), and the same for the
 * output; and output / sum of the last tile is the result. Before a key is visible, m is −Infinity and the others are 0;
 * a row without any stays so, whatever `emptyRows` makes of it.
 *
 * @typedef {object} TraceStep
 * @property {number} batch
 * @property {number} head the query head
 * @property {[number, number]} queries from the first up to, but not including, the second
 * @property {[number, number]} keys likewise
 * @property {boolean} visited false if nothing is visible here: no score was computed, and nothing has changed
 * @property {number[]} max one per query
 * @property {number[]} sum one per query
 * @property {number[][]} output dv numbers per query, not yet divided by the sum
 */

export {};
