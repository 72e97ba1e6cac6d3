// What one file is beside another that is mostly the same: copies from the other, and what stands between them.

/** Shorter matches cost more to write down than they save. */
const shortest = 10;

/**
 * A list of steps, each of three numbers and some bytes: how many new bytes follow, how many bytes are then copied from
 * `base`, and from where, counted from the end of the copy before. `web/core/patch.js` puts `target` together again.
 * @param {Uint8Array} base
 * @param {Uint8Array} target
 */
export function deltaOf(base, target) {
  const places = placesIn(base);
  /** @type {number[]} */
  const delta = [];
  let expected = 0;
  let pending = 0;
  /** @param {number} end @param {number} place @param {number} length */
  const step = (end, place, length) => {
    writeNumber(delta, end - pending);
    writeNumber(delta, length);
    writeNumber(delta, zigzag(place - expected));
    for (let i = pending; i < end; i++) delta.push(target[i]);
    expected = place + length;
    pending = end + length;
  };
  for (let i = 0; i < target.length; ) {
    const { place, length } = longestMatch(base, target, i, [expected + (i - pending), ...(places.get(keyAt(target, i)) ?? [])]);
    if (length >= shortest) {
      step(i, place, length);
      i += length;
    } else i++;
  }
  step(target.length, expected, 0);
  return Uint8Array.from(delta);
}

/** Four bytes as one number. @param {Uint8Array} bytes @param {number} i */
const keyAt = (bytes, i) => (bytes[i] << 24) | (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3];

/** Where each four bytes occur; not every place of the most frequent. @param {Uint8Array} bytes */
function placesIn(bytes) {
  /** @type {Map<number, number[]>} */
  const places = new Map();
  for (let i = 0; i + shortest <= bytes.length; i++) {
    const list = places.get(keyAt(bytes, i)) ?? [];
    if (list.length < 200) places.set(keyAt(bytes, i), [...list, i]);
  }
  return places;
}

/** @param {Uint8Array} base @param {Uint8Array} target @param {number} at @param {readonly number[]} candidates the first wins a tie */
function longestMatch(base, target, at, candidates) {
  let best = { place: 0, length: 0 };
  for (const place of candidates) {
    let length = 0;
    while (place + length < base.length && at + length < target.length && base[place + length] === target[at + length]) length++;
    if (length > best.length) best = { place, length };
  }
  return best;
}

/** Small magnitudes of either sign to small numbers. @param {number} value */
const zigzag = (value) => (value < 0 ? -2 * value - 1 : 2 * value);

/** Seven bits a byte, the lowest first; the top bit says that more follow. @param {number[]} bytes @param {number} value */
function writeNumber(bytes, value) {
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  bytes.push(value);
}
