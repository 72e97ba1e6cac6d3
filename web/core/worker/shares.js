/** @typedef {import('./part-runner.js').Part} Part */

/**
 * Who of several threads computes which tiles. Each goes through a share of neighbours, so that it needs few heads; one
 * that has come to its end takes over half of the longest share that is left. Parts grow shorter towards the end, for all
 * threads to be done at about the same time.
 */
export class Shares {
  /** @param {number} tiles @param {number} threads */
  constructor(tiles, threads) {
    const border = (/** @type {number} */ seat) => Math.round((seat * tiles) / threads);
    /** @type {Part[]} */
    this.shares = Array.from({ length: threads }, (_, seat) => ({ first: border(seat), last: border(seat + 1) }));
  }

  /** The next part of a thread, undefined if all are taken. @param {number} seat @param {number} most @returns {Part | undefined} */
  take(seat, most) {
    const { shares } = this;
    if (left(shares[seat]) === 0) {
      const longest = shares.reduce((best, share) => (left(share) > left(best) ? share : best));
      const first = longest.first + Math.floor(left(longest) / 2);
      shares[seat] = { first, last: longest.last };
      longest.last = first;
    }
    const share = shares[seat];
    if (left(share) === 0) return undefined;
    const { first } = share;
    share.first += Math.min(most, Math.ceil(left(share) * (shares.length === 1 ? 1 : 0.75)));
    return { first, last: share.first };
  }

  /** A part that the thread could not compute, the last it took. @param {number} seat @param {Part} part */
  giveBack(seat, { first }) {
    this.shares[seat].first = first;
  }
}

/** @param {Part} share */
const left = ({ first, last }) => last - first;
