/**
 * The parts a part is made of: they light up with it.
 * @param {string | null} part
 * @param {number} keys
 * @returns {Set<string>}
 */
export function litParts(part, keys) {
  if (part === null) return new Set();
  const [kind, index] = part.split(':');
  const every = (/** @type {string} */ name) => Array.from({ length: keys }, (_, key) => `${name}:${key}`);
  /** @type {Record<string, string[]>} */
  const sources = {
    q: [],
    key: ['q'],
    dot: ['q', `key:${index}`],
    score: [`dot:${index}`],
    weight: every('score'),
    value: [`weight:${index}`],
    output: [...every('weight'), ...every('value')],
  };
  return new Set([part, ...(sources[kind] ?? [])]);
}
