/**
 * Puts a file together from another and what `web/tools/delta.mjs` wrote down of the difference.
 * @param {Uint8Array} base
 * @param {Uint8Array} delta
 * @param {number} size of the result
 */
export function patch(base, delta, size) {
  const target = new Uint8Array(size);
  let read = 0;
  let written = 0;
  let place = 0;
  const number = () => {
    let value = 0;
    for (let unit = 1; ; unit *= 0x80) {
      const byte = delta[read++];
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
    }
  };
  while (read < delta.length) {
    const added = number();
    const copied = number();
    const move = number();
    place += move % 2 === 1 ? -(move + 1) / 2 : move / 2;
    target.set(delta.subarray(read, read + added), written);
    target.set(base.subarray(place, place + copied), written + added);
    read += added;
    written += added + copied;
    place += copied;
  }
  return target;
}
