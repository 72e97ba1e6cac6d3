/**
 * The smallest module that uses SIMD: one function that returns i8x16.splat(0).
 * An engine that does not know 128-bit SIMD calls it invalid.
 */
const probe = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // "\0asm", version 1
  0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b, // type 0: () -> v128
  0x03, 0x02, 0x01, 0x00, // function 0 has type 0
  0x0a, 0x08, 0x01, 0x06, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x0b, // i32.const 0, i8x16.splat, end
]);

/** Whether this WebAssembly engine runs 128-bit SIMD. Validates, does not compile. */
export const supportsSimd = () => WebAssembly.validate(probe);
