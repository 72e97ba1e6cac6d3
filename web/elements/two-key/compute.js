import { refusal } from '../../view/refusal.js';
import { COLDEST, HOTTEST } from './schema.js';

/**
 * @typedef {object} TwoKeyResult
 * @property {number[]} scores  q·k/√2; −Infinity where masked
 * @property {number[]} weights
 * @property {number[]} output
 * @property {number} weightSum
 * @property {number[]} dots  q·k
 * @property {{ queryLength: number, keyLengths: number[], angles: number[] }} geometry  angles in radians, NaN at zero vectors
 */

/**
 * Every number of the figure, in float64.
 * @param {import('../engine.js').Engine} engine
 * @param {import('./schema.js').TwoKeyState} state
 * @returns {TwoKeyResult}
 */
export function compute(engine, { q, keys, values, temperature, allowKeys }) {
  if (values.length !== keys.length) throw refusal('twoKey.valuesCount', { keys: keys.length, got: values.length });
  if (allowKeys && allowKeys.length !== keys.length) throw refusal('twoKey.allowCount', { keys: keys.length, got: allowKeys.length });
  if (temperature !== 0 && temperature < COLDEST) throw refusal('twoKey.tooCold', { min: COLDEST, max: HOTTEST, got: temperature });
  const mask = allowKeys ? { allowKeys } : {};
  const attend = (/** @type {object} */ options) => {
    const { output, weights, scores } = engine.reference.attention([q], keys, values, { ...options, returnWeights: true, returnScores: true });
    const [outputRow, weightRow, scoreRow] = [output, weights, scores].map((tensor) => [.../** @type {NonNullable<typeof tensor>} */ (tensor).data]);
    return { output: outputRow, weights: weightRow, scores: scoreRow };
  };
  const { scores } = attend(mask);
  const { weights, output } = attend(temperature === 0 ? limit(scores) : { ...mask, scale: 1 / (Math.SQRT2 * temperature) });
  const { queryLength, keyLengths, dots, angles } = engine.geometry(q, keys);
  return {
    scores,
    weights,
    output,
    weightSum: engine.rowSums([weights]).data[0],
    dots: [...dots.data],
    geometry: { queryLength, keyLengths: [...keyLengths.data], angles: [...angles.data] },
  };
}

/**
 * Temperature 0: all weight on the largest score, in equal parts on several. The engine divides by making all
 * scores equal (scale 0) and allowing those keys only.
 * @param {readonly number[]} scores  −Infinity where masked
 */
function limit(scores) {
  const largest = Math.max(...scores);
  return { scale: 0, allowKeys: scores.map((score) => score === largest && score !== -Infinity) };
}
