/**
 * What calls return: numbers in row-major order (the last axis fastest) with their shape. A tensor owns its memory:
 * nothing the engine does later changes it unless it is handed in as `out`, and it may be transferred to a worker.
 *
 * @template {Float32Array | Float64Array} [Data=Float32Array]
 */
export class Tensor {
  /** @param {Data} data @param {number[]} shape */
  constructor(data, shape) {
    /** The values, row-major. */
    this.data = data;
    /** The size of each axis. */
    this.shape = shape;
  }

  /**
   * The same values as nested arrays, one level per axis.
   * @returns {any[]}
   */
  toNested() {
    return nest(this.data, this.shape, (value) => value);
  }
}

// The name that consoles show, which shortening the code would take away.
Object.defineProperty(Tensor, 'name', { value: 'Tensor' });

/** A tensor of booleans, one byte each: 1 is true. It can be given as `allow` as it is. */
export class BooleanTensor {
  /** @param {Uint8Array} data @param {number[]} shape */
  constructor(data, shape) {
    /** One byte per value, 1 for true and 0 for false. */
    this.data = data;
    /** The size of each axis. */
    this.shape = shape;
    /** Says that the bytes are booleans, not numbers. */
    this.dtype = /** @type {const} */ ('bool');
  }

  /**
   * The same values as nested arrays of true and false, one level per axis.
   * @returns {any[]}
   */
  toNested() {
    return nest(this.data, this.shape, (value) => value !== 0);
  }
}

/**
 * @template T
 * @param {ArrayLike<number>} data
 * @param {readonly number[]} shape
 * @param {(value: number) => T} read
 * @returns {any[]}
 */
function nest(data, shape, read) {
  let next = 0;
  /** @param {number} axis @returns {any[]} */
  const level = (axis) =>
    Array.from({ length: shape[axis] }, () => (axis === shape.length - 1 ? read(data[next++]) : level(axis + 1)));
  return level(0);
}
