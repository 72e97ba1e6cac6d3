// Reads the instructions of a WebAssembly module, to see which extensions of the format it uses.

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** A LEB128 number; the value is right for unsigned ones. */
  leb() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  /** @param {number} count */
  lebs(count) {
    for (let i = 0; i < count; i++) this.leb();
  }

  /** @param {number} count */
  skip(count) {
    this.at += count;
  }
}

/** @param {number} low @param {number} high */
const range = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => low + i);

/** How many LEB128 numbers follow an opcode of one byte. Where it is not a fixed count, `instruction` knows. @type {Map<number, number>} */
const operands = new Map([
  ...[0x00, 0x01, 0x05, 0x0b, 0x0f, 0x19, 0x1a, 0x1b, 0xd1, ...range(0x45, 0xc4)].map((code) => /** @type {[number, number]} */ ([code, 0])),
  ...[0x02, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0c, 0x0d, 0x10, 0x18, ...range(0x20, 0x26), 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2].map((code) => /** @type {[number, number]} */ ([code, 1])),
  ...[0x11, ...range(0x28, 0x3e)].map((code) => /** @type {[number, number]} */ ([code, 2])),
]);

/** Bulk memory, tables and saturating conversions, after 0xfc. */
const bulkOperands = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];

/** @param {Reader} reader @param {number} code after 0xfd */
function skipSimdOperands(reader, code) {
  if (code <= 11 || code === 92 || code === 93) reader.lebs(2); // loads and stores
  else if (code === 12 || code === 13) reader.skip(16); // a constant, a shuffle
  else if (code >= 21 && code <= 34) reader.skip(1); // a lane
  else if (code >= 84 && code <= 91) {
    reader.lebs(2); // loads and stores of a lane
    reader.skip(1);
  }
}

/** @param {Reader} reader @param {{ simd: number, relaxed: number, atomic: number, bulk: number }} counts */
function instruction(reader, counts) {
  const code = reader.byte();
  if (code === 0x0e) reader.lebs(reader.leb() + 1); // br_table
  else if (code === 0x1c) reader.lebs(reader.leb()); // select with types
  else if (code === 0x43) reader.skip(4);
  else if (code === 0x44) reader.skip(8);
  else if (code === 0xfc) {
    const which = reader.leb();
    if (which >= bulkOperands.length) throw new Error(`unknown opcode 0xfc ${which}`);
    if (which >= 8) counts.bulk++;
    reader.lebs(bulkOperands[which]);
  } else if (code === 0xfd) {
    const which = reader.leb();
    if (which >= 0x100) counts.relaxed++;
    else counts.simd++;
    skipSimdOperands(reader, which);
  } else if (code === 0xfe) {
    counts.atomic++;
    reader.lebs(reader.leb() === 3 ? 1 : 2);
  } else {
    const count = operands.get(code);
    if (count === undefined) throw new Error(`unknown opcode 0x${code.toString(16)} at byte ${reader.at - 1}`);
    reader.lebs(count);
  }
}

const codeSection = 10;

/** @param {Uint8Array} bytes of a module @returns how many instructions of each extension it has */
export function countExtensions(bytes) {
  const counts = { simd: 0, relaxed: 0, atomic: 0, bulk: 0 };
  const reader = new Reader(bytes);
  reader.skip(8); // magic number and version
  while (reader.at < bytes.length) {
    const section = reader.byte();
    const size = reader.leb();
    const end = reader.at + size;
    if (section === codeSection) {
      for (let functions = reader.leb(); functions > 0; functions--) {
        const length = reader.leb();
        const functionEnd = reader.at + length;
        for (let groups = reader.leb(); groups > 0; groups--) reader.lebs(2); // locals
        while (reader.at < functionEnd) instruction(reader, counts);
        if (reader.at !== functionEnd) throw new Error(`a function ends at byte ${functionEnd}, its instructions at ${reader.at}`);
      }
    }
    reader.at = end;
  }
  return counts;
}
