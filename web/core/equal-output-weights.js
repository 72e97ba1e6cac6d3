import { readBooleans } from './boolean-input.js';
import { refusals } from './errors.js';
import { Layout } from './layout.js';
import { record } from './record.js';
import { ofRank, readTensor } from './tensor-input.js';
import { Tensor } from './tensor.js';

const name = 'explain.equalOutputWeights';

/**
 * Other weights that give the same output, as far from the given ones as possible.
 * @param {import('./core.js').Core} core
 * @param {unknown} weights [nk]
 * @param {unknown} v [nk, dv]
 * @param {unknown} options `{ allow }`
 * @returns {import('./types/explain.js').EqualOutputWeightsResult}
 */
export function equalOutputWeights(core, weights, v, options = {}) {
  const given = readTensor('weights', weights, ofRank('weights', [1]));
  const [keys] = given.shape;
  const values = readTensor('v', v, ofRank('v', [2]));
  const [count, width] = values.shape;
  if (count !== keys) throw refusals.sameSize('v', 'number of keys', keys, 'weights', count);
  if (width === 0) throw refusals.width('v', values.shape);
  const { allow } = record('options', options, ['allow']);
  const allowed = allow === undefined ? undefined : readBooleans('allow', allow, (shape) => {
    if (shape.length !== 1 || shape[0] !== keys) throw refusals.sameShape('allow', [keys], 'weights', shape);
  });
  requireWeights(given, allowed?.data);
  requireFinite(values, allowed?.data);

  const layout = new Layout();
  const places = {
    weights: layout.addInput('weights', Float64Array, given),
    v: layout.addInput('v', Float64Array, values),
    allow: allowed ? layout.addInput('allow', Uint8Array, allowed) : 0,
  };
  const others = layout.add('weights', Float64Array, [keys]);
  const output = layout.add('output', Float64Array, [width]);
  const found = layout.add('found', Float64Array, [3]);
  const { result, base, memory } = core.execute(
    name, layout, (raw) => raw._prepareEqualOutputWeights(keys, width, layout.bytes),
    (raw, at) => raw._equalOutputWeights(at + places.weights, at + places.v, places.allow && at + places.allow, keys, width, at + others, at + output, at + found),
  );
  core.expectOk(name, result, layout);
  const read = (/** @type {number} */ place, /** @type {number} */ size) => new Tensor(memory.read(Float64Array, base + place, [size]), [size]);
  const [exists, farthest, distance] = read(found, 3).data;
  return { exists: exists !== 0, farthest: farthest !== 0, distance, weights: read(others, keys), output: read(output, width) };
}

/** Float32 weights sum to 1 within this. */
const roundingOfSum = 1e-5;

/** @param {import('./tensor-input.js').View} given @param {Uint8Array | undefined} allow */
function requireWeights({ data: weights, shape: [keys] }, allow) {
  let sum = 0;
  for (let j = 0; j < keys; j++) {
    const isAllowed = !allow || allow[j] !== 0;
    const expected = isAllowed ? 'a number from 0 to 1' : '0, since allow forbids this key';
    if (!(weights[j] >= 0 && weights[j] <= (isAllowed ? 1 + roundingOfSum : 0))) throw refusals.number(`weights[${j}]`, expected, weights[j]);
    sum += weights[j];
  }
  if (!(Math.abs(sum - 1) <= roundingOfSum)) throw refusals.number('weights', 'numbers with a sum of 1', sum);
}

/** @param {import('./tensor-input.js').View} values @param {Uint8Array | undefined} allow */
function requireFinite({ data, shape: [keys, width] }, allow) {
  for (let j = 0; j < keys; j++) {
    if (allow && allow[j] === 0) continue;
    for (let c = 0; c < width; c++) {
      const value = data[j * width + c];
      if (!Number.isFinite(value)) throw refusals.number(`v[${j}][${c}]`, 'a finite number', value);
    }
  }
}
