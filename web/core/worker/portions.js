/** @typedef {import('./part-runner.js').Part} Part */
/** @typedef {{ place: number, bytes: Uint8Array }[]} Portion of the inputs, by their places */

/**
 * Hands out the inputs: with each part what its thread has not got yet. One thread alone gets all at once, and the buffer
 * itself; of a shared buffer threads get to see their pieces; else they get copies of them.
 * @param {import('./split.js').Split} split @param {number} threads @param {ArrayBufferLike} image all inputs
 * @returns {(part: Part, had: [number, number][]) => Portion}
 */
export function portionsOf(split, threads, image) {
  if (threads === 1) {
    const all = [{ place: 0, bytes: new Uint8Array(image) }];
    return () => all.splice(0);
  }
  const piece = image instanceof ArrayBuffer
    ? (/** @type {number} */ begin, /** @type {number} */ end) => new Uint8Array(image.slice(begin, end))
    : (/** @type {number} */ begin, /** @type {number} */ end) => new Uint8Array(image, begin, end - begin);
  return (part, had) => split.lacking(part, had).map(([begin, end]) => ({ place: begin, bytes: piece(begin, end) }));
}
