// Writes ONNX models: a graph of operators with inputs and outputs of float32, or of whole numbers, with fixed shapes.
import { embedded, float, message, whole } from './protobuf.js';

const [FLOAT, INT32, INT64, BOOL] = [1, 6, 7, 9];
const [ATTRIBUTE_FLOAT, ATTRIBUTE_INT, ATTRIBUTE_INTS] = [1, 2, 7];
const elementTypes = { float32: FLOAT, int32: INT32, int64: INT64, bool: BOOL };
export const microsoft = 'com.microsoft';

/**
 * @typedef {object} Node
 * @property {string} op
 * @property {string} [domain]
 * @property {string[]} inputs an empty name: none
 * @property {string[]} outputs
 * @property {Record<string, number | number[] | { float: number }>} [attributes]
 */

/**
 * @typedef {object} Graph
 * @property {Record<string, number[]>} inputs shapes, by name; float32 but for those in `types`
 * @property {Record<string, number[]>} outputs
 * @property {Record<string, keyof typeof elementTypes>} [types] of inputs and outputs
 * @property {Record<string, { shape: number[], data: Float32Array | BigInt64Array }>} [constants]
 * @property {Node[]} nodes
 * @property {number} [opset] of the standard operators
 */

/** @param {string} name @param {number | number[] | { float: number }} value */
function attribute(name, value) {
  if (Array.isArray(value)) return [embedded(1, name), ...value.map((each) => whole(8, each)), whole(20, ATTRIBUTE_INTS)];
  return typeof value === 'number' ? [embedded(1, name), whole(3, value), whole(20, ATTRIBUTE_INT)] : [embedded(1, name), float(2, value.float), whole(20, ATTRIBUTE_FLOAT)];
}

/** @param {Node} node */
const nodeFields = ({ op, domain = '', inputs, outputs, attributes = {} }) => [
  ...inputs.map((name) => embedded(1, name)),
  ...outputs.map((name) => embedded(2, name)),
  embedded(4, op),
  ...Object.entries(attributes).map(([name, value]) => embedded(5, attribute(name, value))),
  embedded(7, domain),
];

/** @param {string} name @param {number[]} shape @param {number} type */
const valueFields = (name, shape, type) => {
  const dimensions = shape.map((size) => embedded(1, [whole(1, size)]));
  return [embedded(1, name), embedded(2, [embedded(1, [whole(1, type), embedded(2, dimensions)])])];
};

/** @param {string} name @param {{ shape: number[], data: Float32Array | BigInt64Array }} constant */
const constantFields = (name, { shape, data }) => [
  ...shape.map((size) => whole(1, size)),
  whole(2, data instanceof Float32Array ? FLOAT : INT64),
  embedded(8, name),
  embedded(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
];

/** @param {Graph} graph @returns {Uint8Array} */
export function onnxModel({ inputs, outputs, types = {}, constants = {}, nodes, opset = 21 }) {
  const values = (/** @type {number} */ field, /** @type {Record<string, number[]>} */ shapes) =>
    Object.entries(shapes).map(([name, shape]) => embedded(field, valueFields(name, shape, elementTypes[types[name] ?? 'float32'])));
  const graph = [
    ...nodes.map((node) => embedded(1, nodeFields(node))),
    embedded(2, 'attention'),
    ...Object.entries(constants).map(([name, constant]) => embedded(5, constantFields(name, constant))),
    ...values(11, inputs),
    ...values(12, outputs),
  ];
  const operators = (/** @type {string} */ domain, /** @type {number} */ version) => embedded(8, [embedded(1, domain), whole(2, version)]);
  return message([whole(1, 10), embedded(7, graph), operators('', opset), operators(microsoft, 1)]);
}
