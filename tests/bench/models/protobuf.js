// Enough of the wire format of Protocol Buffers to write an ONNX model: fields in a row, each with its number and its kind.
const text = new TextEncoder();

/** @param {number} value a whole number, not negative @returns {number[]} */
function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

/** @param {(Uint8Array | number[])[]} parts */
function join(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @typedef {Uint8Array} Field */

/** @param {number} field @param {number} value @returns {Field} */
export const whole = (field, value) => new Uint8Array([...varint(field * 8), ...varint(value)]);

/** @param {number} field @param {number} value @returns {Field} */
export const float = (field, value) => join([varint(field * 8 + 5), new Uint8Array(new Float32Array([value]).buffer)]);

/** Bytes, a text, or a message of fields. @param {number} field @param {Uint8Array | string | Field[]} content @returns {Field} */
export function embedded(field, content) {
  const bytes = typeof content === 'string' ? text.encode(content) : Array.isArray(content) ? join(content) : content;
  return join([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

/** @param {Field[]} fields */
export const message = (fields) => join(fields);
