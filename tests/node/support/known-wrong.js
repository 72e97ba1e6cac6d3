// Right calls with one thing made wrong in a way that is known, so that they must be refused; and the same calls with a
// tensor handed over in another form, which must change nothing.

/** @typedef {ReturnType<typeof import('./random.js').randomFrom>} Random */
/** @typedef {{ what: string, args: any[] }} Call */
/** @typedef {Record<string, (value: any) => any>} Ways */

/** @param {any} value */
const isFlat = (value) => typeof value === 'object' && value !== null && 'data' in value && 'shape' in value;

/** @param {any} value */
function kindOf(value) {
  if (Array.isArray(value)) return ['number', 'boolean'].includes(typeof value.flat(9)[0]) ? `${typeof value.flat(9)[0]}s` : 'other';
  if (isFlat(value)) return value.dtype === 'bool' ? 'flags' : 'tensor';
  if (Object.prototype.toString.call(value) === '[object Object]') return 'record';
  return value instanceof AbortSignal ? 'signal' : typeof value;
}

/** @param {any} data @param {number[]} shape @param {number} [from] @returns {any} */
function nested(data, shape, from = 0) {
  const [size, ...rest] = shape;
  const step = rest.reduce((a, b) => a * b, 1);
  return Array.from({ length: size }, (_, i) => (rest.length === 0 ? data[from + i] : nested(data, rest, from + i * step)));
}

/** A copy of nested lists with the last one at the deepest level changed. @param {any[]} list @param {(last: any[]) => any} change @returns {any} */
const atLast = (list, change) => (Array.isArray(list[0]) ? [...list.slice(0, -1), atLast(list[list.length - 1], change)] : change(list));

/** @param {any[]} list @param {unknown} item */
const lastAs = (list, item) => atLast(list, (last) => [...last.slice(0, -1), item]);

function detached() {
  const view = new Float32Array(4);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

/** @param {any} data @returns {any} */
const shared = (data) => Object.assign(new data.constructor(new SharedArrayBuffer(data.byteLength)), data);

/** @type {Record<string, Ways>} */
const wrongForms = {
  tensor: {
    'one value more': ({ data, shape }) => ({ data: new Float32Array(data.length + 1), shape }),
    'one value less': ({ data, shape }) => ({ data: data.slice(1), shape }),
    ...Object.fromEntries([NaN, -1, 0.5, Infinity, 2 ** 31, '2', null, 2n].map((size) => [`a size of ${typeof size} ${size}`, ({ data, shape }) => ({ data, shape: [size, ...shape.slice(1)] })])),
    'too large beside no rows': ({ shape }) => ({ data: [], shape: [...shape.slice(1), 0, 2 ** 31].slice(-shape.length) }),
    'too many axes': ({ data, shape }) => ({ data, shape: [1, 1, 1, 1, ...shape] }),
    'a shape that is no list': ({ data, shape }) => ({ data, shape: Object.assign({ length: shape.length }, shape) }),
    'a detached view': ({ shape }) => ({ data: detached(), shape }),
    'a detached view and no rows': ({ shape }) => ({ data: detached(), shape: shape.map((size, axis) => (axis === Math.max(0, shape.length - 2) ? 0 : size)) }),
    'a view of no numbers': ({ data, shape }) => ({ data: new DataView(data.buffer), shape }),
    'big integers': ({ data, shape }) => ({ data: new BigInt64Array(data.length), shape }),
    'booleans': ({ data, shape }) => ({ data: new Uint8Array(data.length), shape, dtype: 'bool' }),
    'the bytes alone': ({ data }) => data.buffer,
    ...Object.fromEntries(['1', null, undefined, 1n, true, [1]].map((item) => [`an item of ${typeof item} ${item}`, ({ data, shape }) => ({ data: lastAs([...data], item), shape })])),
    'a hole': ({ data, shape }) => lastAs(nested(data, shape), undefined),
    'one list longer': ({ data, shape }) => (shape.length > 1 && shape.some((size, axis) => axis < shape.length - 1 && size > 1) ? atLast(nested(data, shape), (last) => [...last, 1]) : null),
    'one list shorter': ({ data, shape }) => (shape.length > 1 && shape.some((size, axis) => axis < shape.length - 1 && size > 1) ? atLast(nested(data, shape), (last) => last.slice(1)) : null),
    'nested too deep': ({ data, shape }) => [[[[nested(data, shape)]]]],
  },
  flags: {
    'bytes that are not said to be booleans': ({ data, shape }) => ({ data, shape }),
    'floats': ({ data, shape, dtype }) => ({ data: new Float32Array(data), shape, dtype }),
    'one value more': ({ data, shape, dtype }) => ({ data: new Uint8Array(data.length + 1), shape, dtype }),
    'a size that is no number': ({ data, shape, dtype }) => ({ data, shape: [NaN, ...shape.slice(1)], dtype }),
    'numbers': ({ data, shape }) => nested(data, shape),
  },
  numbers: Object.fromEntries(['1', null, undefined, 1n, true].map((item) => [`an item of ${typeof item} ${item}`, (list) => lastAs(list, item)])),
  booleans: {
    ...Object.fromEntries(['true', null, undefined, 0, 1].map((item) => [`an item of ${typeof item} ${item}`, (list) => lastAs(list, item)])),
    'one more': (list) => atLast(list, (last) => [...last, true]),
  },
  number: { 'not a number': () => NaN, 'text': String, 'a big integer': () => 2n, 'null': () => null, 'a list': (value) => [value], 'what could become one': (value) => ({ valueOf: () => value }) },
  boolean: { 'text': String, '1': () => 1, '0': () => 0, 'null': () => null },
  string: { 'misspelt': (value) => `${value}s`, 'in capitals': (value) => value.toUpperCase(), 'null': () => null, 'what could become one': (value) => ({ toString: () => value }) },
  function: { 'null': () => null, 'a promise': () => Promise.resolve(), 'text': () => 'i > j' },
  signal: { 'what looks like one': () => ({ aborted: false, addEventListener() {} }), 'null': () => null },
  record: {
    'an unknown name': (value) => ({ ...value, casual: true }),
    'an unknown name without a value': (value) => ({ ...value, casual: undefined }),
    'a map': (value) => new Map(Object.entries(value)),
    'inherited options': (value) => Object.create(value),
    'a list': () => [],
    'a function': () => () => {},
  },
};

/** Values that an option of this name never has. @type {Record<string, unknown>} */
const wrongValues = {
  softcap: 0, window: 0, queryOffset: 0.5, keyLengths: [99], heads: 0, kvHeads: 0.5, batch: 0, queries: -1, keys: 2 ** 31,
  headDim: 2 ** 31, valueDim: 0, capacity: 0, base: 0, offset: 0.5, dims: 3, length: -1, dim: 0, component: 99, query: 99, key: 99,
};

/** Sizes that are right one by one but make more than there is memory for. */
const hugeTogether = [['queries', 'keys'], ['length', 'dim'], ['headDim', 'valueDim']];

/** @type {Ways} */
const otherForms = {
  'nested arrays': ({ data, shape, dtype }) => nested(dtype ? [...data].map(Boolean) : data, shape),
  'a plain array': ({ data, shape, dtype }) => ({ data: dtype ? [...data].map(Boolean) : [...data], shape }),
  'part of a larger buffer': ({ data, ...rest }) => {
    const whole = new data.constructor(data.length + 5).fill(1);
    whole.set(data, 2);
    return { data: whole.subarray(2, 2 + data.length), ...rest };
  },
  'a shared buffer': ({ data, ...rest }) => ({ data: shared(data), ...rest }),
  'a copy in float64': ({ data, dtype, ...rest }) => ({ data: dtype ? data : new Float64Array(data), ...rest, ...(dtype && { dtype }) }),
  'what is frozen': ({ data, shape, ...rest }) => Object.freeze({ data, shape: Object.freeze([...shape]), ...rest }),
};

/** Every place in the arguments that has a kind, as the way to it. @param {any} value @param {PropertyKey[]} [way] @returns {{ way: PropertyKey[], value: any, kind: string }[]} */
function placesOf(value, way = []) {
  const kind = kindOf(value);
  const within = way.length === 0 ? [...value.entries()] : kind === 'record' ? Object.entries(value) : [];
  const below = within.flatMap(([key, item]) => placesOf(item, [...way, key]));
  return way.length === 0 ? below : [{ way, value, kind }, ...below];
}

/** A copy of the arguments with another property descriptor at one place. @param {any} value @param {PropertyKey[]} way @param {PropertyDescriptor} descriptor @returns {any} */
function replaced(value, [key, ...rest], descriptor) {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const found = rest.length === 0 ? descriptor : { value: replaced(value[key], rest, descriptor) };
  return Object.defineProperty(copy, key, { enumerable: true, configurable: true, ...found });
}

/** @param {Random} random */
export function knownWrongFrom(random) {
  /** @param {any[]} args @param {Record<string, Ways>} forms @returns {Call} */
  function withOneForm(args, forms) {
    const { way, value, kind } = random.pick(placesOf(args).filter((place) => place.kind in forms));
    const what = random.pick(Object.keys(forms[kind]));
    return { what: `${way.map(String).join('.')} is ${what}`, args: replaced(args, way, { value: forms[kind][what](value) }) };
  }

  /** A getter among the options that does something. @param {any[]} args @param {string} what @param {() => unknown} act @returns {Call | undefined} */
  function withGetter(args, what, act) {
    const places = placesOf(args).filter(({ way }) => way.length > 1);
    if (places.length === 0) return undefined;
    const { way, value } = random.pick(places);
    const get = () => (act(), value);
    return { what: `${way.map(String).join('.')} is read by a getter that ${what}`, args: replaced(args, way, { get }) };
  }

  /** @param {any[]} args @returns {Call | undefined} */
  function withTransfer(args) {
    const tensors = args.filter((value) => kindOf(value) === 'tensor');
    if (tensors.length === 0 || kindOf(args[args.length - 1]) !== 'record') return undefined;
    const { buffer } = random.pick(tensors).data;
    return withGetter(args, 'transfers a tensor away', () => buffer.byteLength > 0 && structuredClone(buffer, { transfer: [buffer] }));
  }

  /** @param {any[]} args @returns {Call | undefined} */
  function withResize(args) {
    const place = args.findIndex((value) => kindOf(value) === 'tensor');
    if (place < 0 || kindOf(args[args.length - 1]) !== 'record') return undefined;
    const { data, shape } = args[place];
    const buffer = new /** @type {any} */ (ArrayBuffer)(data.byteLength, { maxByteLength: 2 * data.byteLength });
    const view = new Float32Array(buffer);
    view.set(data);
    const bytes = random.pick([4, 2 * data.byteLength]);
    return withGetter(replaced(args, [place], { value: { data: view, shape } }), 'resizes a tensor', () => buffer.resize(bytes));
  }

  /** @param {any[]} args @returns {Call | undefined} */
  function withWrongValue(args) {
    const places = placesOf(args).filter(({ way }) => way.length === 2 && String(way[1]) in wrongValues);
    if (places.length === 0) return undefined;
    const { way } = random.pick(places);
    const value = wrongValues[String(way[1])];
    return { what: `${way.join('.')} is ${value}`, args: replaced(args, way, { value }) };
  }

  /** @param {any[]} args @returns {Call | undefined} */
  function withHugeSizes([first, ...rest]) {
    const names = hugeTogether.find((pair) => pair.every((name) => name in Object(first)));
    return names && { what: `${names.join(' and ')} are huge`, args: [{ ...first, ...Object.fromEntries(names.map((name) => [name, 2 ** 26])) }, ...rest] };
  }

  /** A third tensor (the values, a gradient) without its first row. @param {any[]} args @returns {Call | undefined} */
  function withRowLess(args) {
    const place = random.pick([2, 3]);
    if (kindOf(args[place]) !== 'tensor') return undefined;
    const { data, shape } = args[place];
    const less = shape.map((/** @type {number} */ size, /** @type {number} */ axis) => size - Number(axis === shape.length - 2));
    const value = { data: data.slice(0, less.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b)), shape: less };
    return { what: `${place} has a row less`, args: replaced(args, [place], { value }) };
  }

  /** Keys and values of three heads for queries of two. @param {any[]} args @returns {Call | undefined} */
  function withOddHeads([q, ...rest]) {
    if (q?.shape?.[0] !== 2 || q.shape.length !== 3) return undefined;
    const thrice = (/** @type {any} */ value) => (kindOf(value) === 'tensor' && value.shape[0] === 1 && value.shape.length === 3
      ? { data: Float32Array.from([...value.data, ...value.data, ...value.data]), shape: [3, ...value.shape.slice(1)] } : value);
    const changed = rest.map(thrice);
    return changed.some((value, i) => value !== rest[i]) ? { what: 'three heads for two', args: [q, ...changed] } : undefined;
  }

  return {
    /** A call that has to be refused. @param {any[]} args @returns {Call} */
    wrongCall(args) {
      const special = random.pick([
        () => ({ what: 'no arguments', args: [] }),
        () => withGetter(args, 'throws', () => { throw new Error("the caller's own"); }),
        () => withTransfer(args), () => withResize(args), () => withWrongValue(args), () => withWrongValue(args), () => withWrongValue(args),
        () => withHugeSizes(args), () => withRowLess(args), () => withOddHeads(args),
      ]);
      return (random.next() < 0.4 ? special() : undefined) ?? withOneForm(args, wrongForms);
    },
    /** A call that means the same, or none if no tensor is among the arguments. @param {any[]} args @returns {Call | undefined} */
    sameCall(args) {
      const forms = { tensor: otherForms, flags: otherForms };
      return placesOf(args).some(({ kind }) => kind in forms) ? withOneForm(args, forms) : undefined;
    },
  };
}
