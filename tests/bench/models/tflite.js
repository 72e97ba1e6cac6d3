// Writes TensorFlow Lite models: a graph of operators on tensors of float32 with fixed shapes. Numbers of fields and of
// operators are those of the format's schema.
import * as flatbuffers from 'flatbuffers';

/** Operators with the kind of their options and what writes the fields of these. @type {Record<string, { code: number, options: number, write: (builder: any, options: any) => void, fields: number }>} */
const operators = {
  ADD: { code: 0, options: 11, fields: 1, write: () => {} },
  MUL: { code: 18, options: 21, fields: 1, write: () => {} },
  SOFTMAX: { code: 25, options: 9, fields: 1, write: (builder) => builder.addFieldFloat32(0, 1, 0) }, // beta
  BATCH_MATMUL: { code: 126, options: 101, fields: 3, write: (builder, { turnSecond = false }) => builder.addFieldInt8(1, Number(turnSecond), 0) },
};

/** Operators up to this number were written in one byte; the field stays for old readers. */
const largestOldCode = 127;

/**
 * @typedef {object} Graph
 * @property {Record<string, { shape: number[], data?: Float32Array }>} tensors with data: constant
 * @property {string[]} inputs
 * @property {string[]} outputs
 * @property {{ op: string, inputs: string[], outputs: string[], options?: { turnSecond?: boolean } }[]} nodes
 */

/** @param {any} builder @param {number[]} values */
function integers(builder, values) {
  builder.startVector(4, values.length, 4);
  for (const value of [...values].reverse()) builder.addInt32(value);
  return builder.endVector();
}

/** @param {any} builder @param {number[]} offsets */
function tables(builder, offsets) {
  builder.startVector(4, offsets.length, 4);
  for (const offset of [...offsets].reverse()) builder.addOffset(offset);
  return builder.endVector();
}

/** A table with the fields that are given, by number. @param {any} builder @param {number} count @param {() => void} fill @returns {number} */
function table(builder, count, fill) {
  builder.startObject(count);
  fill();
  return builder.endObject();
}

/** Data of constants has to start at a multiple of 16. @param {any} builder @param {Float32Array | undefined} data */
function buffer(builder, data) {
  if (!data) return table(builder, 1, () => {});
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  builder.startVector(1, bytes.length, 16);
  builder.space -= bytes.length;
  builder.bb.bytes().set(bytes, builder.space);
  const content = builder.endVector();
  return table(builder, 1, () => builder.addFieldOffset(0, content, 0));
}

/** @param {Graph} graph @returns {Uint8Array} */
export function tfliteModel({ tensors, inputs, outputs, nodes }) {
  const builder = new flatbuffers.Builder(1024);
  const names = Object.keys(tensors);
  const numbers = (/** @type {string[]} */ list) => integers(builder, list.map((name) => names.indexOf(name)));
  const used = [...new Set(nodes.map(({ op }) => op))];

  const codes = used.map((op) => table(builder, 4, () => {
    builder.addFieldInt8(0, Math.min(operators[op].code, largestOldCode), 0);
    builder.addFieldInt32(2, 1, 0); // version; 0 would be taken as absent
    builder.addFieldInt32(3, operators[op].code, 0);
  }));
  // The first buffer is empty by convention: that of tensors without data.
  const constants = names.filter((name) => tensors[name].data);
  const buffers = [undefined, ...constants.map((name) => tensors[name].data)].map((data) => buffer(builder, data));
  const written = names.map((name) => {
    const shape = integers(builder, tensors[name].shape);
    const title = builder.createString(name);
    return table(builder, 4, () => {
      builder.addFieldOffset(0, shape, 0);
      builder.addFieldInt8(1, 0, -1); // float32
      builder.addFieldInt32(2, constants.indexOf(name) + 1, 0);
      builder.addFieldOffset(3, title, 0);
    });
  });
  const steps = nodes.map((node) => {
    const { options: kind, fields, write } = operators[node.op];
    const options = table(builder, fields, () => write(builder, node.options ?? {}));
    const [from, to] = [numbers(node.inputs), numbers(node.outputs)];
    return table(builder, 5, () => {
      builder.addFieldInt32(0, used.indexOf(node.op), 0);
      builder.addFieldOffset(1, from, 0);
      builder.addFieldOffset(2, to, 0);
      builder.addFieldInt8(3, kind, 0);
      builder.addFieldOffset(4, options, 0);
    });
  });
  const parts = [tables(builder, written), numbers(inputs), numbers(outputs), tables(builder, steps), builder.createString('attention')];
  const graph = table(builder, 5, () => parts.forEach((part, i) => builder.addFieldOffset(i, part, 0)));
  const top = [tables(builder, codes), tables(builder, [graph]), builder.createString('attention'), tables(builder, buffers)];
  const model = table(builder, 5, () => {
    builder.addFieldInt32(0, 3, 0); // version of the schema
    top.forEach((part, i) => builder.addFieldOffset(i + 1, part, 0));
  });
  builder.finish(model, 'TFL3');
  return builder.asUint8Array();
}
