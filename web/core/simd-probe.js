/**
 * The smallest modules that use 128-bit SIMD: one function that returns i8x16.splat(0), and one that returns
 * f32x4.relaxed_madd of three such vectors. An engine that does not know the instructions calls them invalid.
 */
const splat = [0x41, 0x00, 0xfd, 0x0f]; // i32.const 0, i8x16.splat
const probe = moduleOf(splat);
const relaxedProbe = moduleOf([...splat, ...splat, ...splat, 0xfd, 0x85, 0x02]);

/** @param {number[]} instructions that leave a vector */
function moduleOf(instructions) {
  const body = [0x00, ...instructions, 0x0b]; // no locals, …, end
  return new Uint8Array([
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // "\0asm", version 1
    0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b, // type 0: () -> v128
    0x03, 0x02, 0x01, 0x00, // function 0 has type 0
    0x0a, body.length + 2, 0x01, body.length, ...body,
  ]);
}

/** Whether this WebAssembly engine runs 128-bit SIMD. Validates, does not compile. */
export const supportsSimd = () => WebAssembly.validate(probe);

/** Whether it runs relaxed SIMD. */
export const supportsRelaxedSimd = () => WebAssembly.validate(relaxedProbe);
