/** How values, shapes and names are put into error sentences. Nothing here can throw, whatever it is given. */

/** @param {readonly number[]} shape */
export const sizes = (shape) => `[${shape.join(', ')}]`;

/** `a, b or c`. @param {readonly (string | number)[]} items */
export const oneOf = (items) =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items[items.length - 1]}`;

const longestText = 40;
const longestUrl = 160;

/** A URL short enough for a sentence; a `data:` URL holds a whole file. @param {string} url */
export function shorten(url) {
  const longest = url.startsWith('data:') ? longestText : longestUrl;
  return url.length > longest ? `${url.slice(0, longest)}…` : url;
}

/** A short noun phrase for any value. @param {unknown} value @returns {string} */
export function describe(value) {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > longestText ? `${value.slice(0, longestText)}…` : value);
    case 'number':
    case 'boolean':
    case 'undefined':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return 'a bigint';
    case 'symbol':
      return 'a symbol';
    case 'function':
      return 'a function';
    default:
      return value === null ? 'null' : describeObject(/** @type {object} */ (value));
  }
}

/** @param {object} value */
function describeObject(value) {
  try {
    if (Array.isArray(value)) return `an array of length ${value.length}`;
    if (ArrayBuffer.isView(value) && 'length' in value) {
      return `${Object.prototype.toString.call(value).slice(8, -1)} of length ${value.length}`;
    }
    const tag = Object.prototype.toString.call(value).slice(8, -1);
    return tag === 'Object' ? 'an object' : `an object (${tag.slice(0, longestText)})`;
  } catch {
    return 'an object that cannot be read'; // a revoked proxy, or one whose traps throw
  }
}

/**
 * The known name closest to a mistyped one, by edit distance without regard to case; undefined if none is close.
 * @param {string} name
 * @param {readonly string[]} known
 */
export function nearest(name, known) {
  const wanted = name.slice(0, longestText).toLowerCase();
  let best;
  let least = Math.floor(wanted.length / 2) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Levenshtein's distance, one row of the table at a time. @param {string} a @param {string} b */
function editDistance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, substitution));
    }
    row = next;
  }
  return row[b.length];
}
