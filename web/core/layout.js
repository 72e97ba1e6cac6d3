import { countOf, exactCountOf } from './sizes.js';

/** @typedef {typeof Float32Array | typeof Float64Array | typeof Uint8Array | typeof Uint32Array} ArrayType */

/** @typedef {{ data: ArrayLike<number>, shape: readonly number[] }} Values */

/** Every piece starts on a cache line, as the core's arena does. */
const alignment = 64;

/**
 * Where the inputs and outputs of one call will lie, as places counted from an address that is known only once the room
 * for all of them has been reserved. Nothing is allocated here. Place 0 stays free: it means "not there".
 */
export class Layout {
  /** The room for everything; Infinity once it is beyond exact numbers. */
  bytes = alignment;
  /** @type {{ name: string, type: ArrayType, data: ArrayLike<number>, count: number, place: number }[]} */
  inputs = [];
  /** The room up to the end of the last input. */
  inputBytes = alignment;
  /** @type {{ name: string, shape: readonly number[], elementBytes: number }[]} */
  pieces = [];

  /** Room for a tensor. @param {string} name for error sentences @param {ArrayType} type @param {readonly number[]} shape */
  add(name, type, shape) {
    const place = this.bytes;
    const elementBytes = type.BYTES_PER_ELEMENT;
    this.pieces.push({ name, shape, elementBytes });
    this.bytes += Math.ceil((countOf(shape) * elementBytes) / alignment) * alignment;
    return place;
  }

  /** Room for values that are copied in before the call. @param {string} name @param {ArrayType} type @param {Values} values */
  addInput(name, type, { data, shape }) {
    const place = this.add(name, type, shape);
    this.inputs.push({ name, type, data, count: countOf(shape), place });
    this.inputBytes = this.bytes;
    return place;
  }

  /** A layout that begins with the same pieces. */
  copy() {
    return Object.assign(new Layout(), { ...this, inputs: [...this.inputs], pieces: [...this.pieces] });
  }

  /**
   * The exact bytes of all pieces, however many, and the largest piece: for a refusal.
   * @param {(shape: readonly number[]) => bigint} [values] how many a piece has
   */
  describe(values = exactCountOf) {
    const bytes = this.pieces.map(({ shape, elementBytes }) => values(shape) * BigInt(elementBytes));
    const total = bytes.reduce((sum, piece) => sum + piece, 0n);
    const largest = this.pieces[bytes.reduce((best, piece, i) => (piece > bytes[best] ? i : best), 0)];
    return { bytes: String(total), largest: `most of it for ${largest.name} of shape [${largest.shape.join(', ')}]` };
  }

  /** The same with one row at least of every piece: an empty tensor takes no room, but the core's scratch holds rows as wide. */
  describeWithRows() {
    return this.describe((shape) => exactCountOf(withoutZeros(shape)));
  }
}

/** @param {readonly number[]} shape */
const withoutZeros = (shape) => shape.map((size) => Math.max(size, 1));
