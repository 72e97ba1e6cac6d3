// What a caller might hand over by mistake or by malice: values of every kind, and right calls with something wrong in them.

/** @typedef {ReturnType<typeof import('./random.js').randomFrom>} Random */

const numbers = [0, 1, 2, 3, -1, -0, 0.5, NaN, Infinity, -Infinity, 1e-320, 3.5e38, 1e300, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 31)];

/** @param {ArrayBuffer} buffer */
const detach = (buffer) => void structuredClone(buffer, { transfer: [buffer] });

function oddities() {
  /** @type {any[]} */
  const cyclic = [];
  cyclic.push(cyclic);
  const { proxy: revoked, revoke } = Proxy.revocable([], {});
  revoke();
  const detached = new Float32Array(4);
  detach(detached.buffer);
  const shared = new Float32Array(new SharedArrayBuffer(16));
  const throwing = Object.defineProperty({}, 'data', { enumerable: true, get() { throw new Error('a getter of the caller'); } });
  return [
    undefined, null, '', 'causal', '1', true, false, 10n, Symbol('s'), () => 1, async () => true, new Date(0), /x/, new Map(), new Set([1]),
    cyclic, revoked, throwing, new Error('x'), new Proxy({}, {}), Object.create(null), { valueOf: () => 2 }, Promise.resolve(1),
    { data: detached, shape: [2, 2] }, { data: detached, shape: [0, 2] }, { data: shared, shape: [2, 2] }, { data: shared, shape: [2, 3] },
    { data: { length: 4 }, shape: [2, 2] }, { data: [], shape: [2 ** 31, 2 ** 31] }, { data: new Float32Array(0), shape: [0, 2 ** 31 - 1] },
    shared.buffer, new ArrayBuffer(8), new DataView(new ArrayBuffer(4)), new BigInt64Array(2), [[]], [], [[[]]], [null], [[undefined]], [['1']],
    new Array(3), new Array(2 ** 32 - 1), [new Array(2 ** 31)], { length: 2 ** 32 },
  ];
}

/** @param {Random} random */
export function anythingFrom(random) {
  const odd = oddities();
  const number = () => random.pick(numbers);
  /** @param {number} depth @returns {any} */
  const nested = (depth) => (depth === 0 ? random.pick([number, () => random.next() < 0.5])() : Array.from({ length: random.whole(0, 3) }, () => nested(depth - 1)));
  const typed = () => new (random.pick([Float32Array, Float64Array, Uint8Array, Int32Array]))(random.whole(0, 8));
  const shape = () => Array.from({ length: random.whole(0, 5) }, () => random.pick([() => random.whole(0, 4), number])());
  const flat = () => ({ data: random.pick([typed, () => nested(1)])(), shape: shape(), ...(random.next() < 0.3 && { dtype: 'bool' }) });
  const right = () => random.tensor(random.pick([[2, 3], [3, 3], [1, 2, 3], [2, 2, 3], [1, 1, 2, 3], [0, 3], [2, 1, 2, 3]]));
  const record = () => Object.fromEntries(Array.from({ length: random.whole(1, 3) }, () => [random.pick(['left', 'right', 'queries', 'keys', 'size', 'allow', 'kind', 'shape', 'data', '']), random.pick([number, () => random.pick(odd)])()]));
  const anything = () => random.pick([() => random.pick(odd), () => random.pick(odd), number, () => nested(random.whole(1, 5)), typed, flat, right, record])();

  /** One thing made wrong somewhere below `value`. @param {any} value @returns {any} */
  function spoiled(value) {
    const inside = Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
    const keys = inside ? Object.keys(value) : [];
    if (keys.length === 0 || keys.length > 100 || random.next() < 0.25) return wrong(value);
    const copy = Array.isArray(value) ? [...value] : { ...value };
    const change = random.next();
    if (change < 0.1 && Array.isArray(copy)) random.next() < 0.5 ? copy.pop() : copy.push(copy[0]);
    else if (change < 0.2 && !Array.isArray(copy)) copy[random.pick(['casual', 'constructor', 'toString', 'x', ''])] = anything();
    else if (change < 0.25) delete copy[random.pick(keys)];
    else {
      const key = random.pick(keys);
      copy[key] = spoiled(copy[key]);
    }
    return copy;
  }

  /** @param {any} value @returns {any} */
  function wrong(value) {
    if (ArrayBuffer.isView(value) && random.next() < 0.6) {
      const { length } = /** @type {Float32Array} */ (value);
      return random.pick([
        () => new Float32Array(length + 1), () => new Float64Array(length), () => new BigInt64Array(length), () => new Float32Array(new SharedArrayBuffer(4 * length)),
        () => Array.from(/** @type {any} */ (value)), () => new Float32Array(length).fill(number()),
        () => { const gone = new Float32Array(length + 1).subarray(1); detach(gone.buffer); return gone; },
      ])();
    }
    return typeof value === 'number' && random.next() < 0.5 ? number() : anything();
  }

  /** A call's arguments with one of them wrong, or two, or none. @param {any[]} args */
  function spoiledCall(args) {
    const given = [...args];
    for (let wrongs = random.pick([0, 1, 1, 1, 1, 2]); wrongs > 0; wrongs--) {
      const place = random.whole(0, given.length - 1);
      try {
        given[place] = spoiled(given[place]);
      } catch {
        // what the first made wrong cannot be looked at
      }
    }
    return random.next() < 0.03 ? given.slice(0, -1) : given;
  }

  return { anything, spoiledCall };
}
