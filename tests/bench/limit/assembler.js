// Enough of the binary format of WebAssembly to write a small module from JavaScript: functions of one type, SIMD included.
// Written out rather than compiled, so that nothing but the JavaScript engine decides what runs.

/** LEB128, unsigned. @param {number} value @returns {number[]} */
export function unsigned(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

/** LEB128 of a number from −64 to 63, or a whole number above. @param {number} value @returns {number[]} */
function signed(value) {
  const bytes = [];
  for (; value < -64 || value > 63; value >>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value & 127];
}

/** @param {number[][]} items */
const list = (items) => [...unsigned(items.length), ...items.flat()];
/** @param {string} text */
const name = (text) => list([...text].map((letter) => [letter.charCodeAt(0)]));
/** @param {number} id @param {number[]} content */
const section = (id, content) => [id, ...unsigned(content.length), ...content];
/** @param {number} opcode behind the prefix of vector instructions */
const vector = (opcode) => [0xfd, ...unsigned(opcode)];

export const i32 = 0x7f;
export const f32 = 0x7d;
export const v128 = 0x7b;

/** Instructions, each an array of bytes, by their names in the text format. */
export const op = {
  get: (/** @type {number} */ local) => [0x20, ...unsigned(local)],
  set: (/** @type {number} */ local) => [0x21, ...unsigned(local)],
  tee: (/** @type {number} */ local) => [0x22, ...unsigned(local)],
  i32Const: (/** @type {number} */ value) => [0x41, ...signed(value)],
  f32Const: (/** @type {number} */ value) => [0x43, ...new Uint8Array(new Float32Array([value]).buffer)],
  i32Add: [0x6a],
  i32Sub: [0x6b],
  i32Or: [0x72],
  /** Runs `body` again as long as it leaves a number that is not 0. @param {number[]} body */
  doWhile: (body) => [0x03, 0x40, ...body, 0x0d, 0, 0x0b],
  v128Load: (/** @type {number} */ offset) => [...vector(0x00), 4, ...unsigned(offset)],
  f32x4Splat: vector(0x13),
  f32x4ExtractFirst: [...vector(0x1f), 0],
  f32x4Add: vector(0xe4),
  f32x4Mul: vector(0xe6),
  f32x4RelaxedMadd: vector(0x105),
};

/**
 * @typedef {object} Code
 * @property {string} name what it is exported as
 * @property {number} parameters how many, all i32
 * @property {number} vectors how many locals of type v128 follow the parameters
 * @property {number[]} body leaves one f32
 */

/** @param {Code[]} functions @param {number} [pages] of memory, exported as `memory`; 0: no memory @returns {Uint8Array<ArrayBuffer>} */
export function assemble(functions, pages = 0) {
  const types = functions.map(({ parameters }) => [0x60, ...list(Array.from({ length: parameters }, () => [i32])), 1, f32]);
  const exports = functions.map((each, i) => [...name(each.name), 0, ...unsigned(i)]);
  const bodies = functions.map(({ vectors, body }) => {
    const code = [...list([[...unsigned(vectors), v128]]), ...body, 0x0b];
    return [...unsigned(code.length), ...code];
  });
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // "\0asm", version 1
    ...section(1, list(types)),
    ...section(3, list(functions.map((_, i) => unsigned(i)))),
    ...(pages > 0 ? section(5, list([[0, ...unsigned(pages)]])) : []),
    ...section(7, list(pages > 0 ? [...exports, [...name('memory'), 2, 0]] : exports)),
    ...section(10, list(bodies)),
  ]);
}
