// Which values a slider has: min + k·step, and max even where it is off that grid. Each is rounded to the decimals of
// min and step, so no value has a tail such as 0.9299999.

/** @typedef {{ min: number, max: number, step: number }} Scale */

/** @param {number} value */
function decimals(value) {
  const [mantissa, exponent = '0'] = String(value).toLowerCase().split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

/** min + k·step, which may lie beyond max. @param {Scale} scale @param {number} k */
function onGrid(scale, k) {
  const value = Number((scale.min + k * scale.step).toFixed(Math.max(decimals(scale.min), decimals(scale.step))));
  return value === 0 ? 0 : value;
}

/**
 * The slider's value closest to any number.
 * @param {number} value @param {Scale} scale
 */
export function snap(value, scale) {
  if (value >= scale.max) return scale.max;
  if (value <= scale.min) return scale.min;
  const k = Math.round((value - scale.min) / scale.step);
  const near = onGrid(scale, k);
  return Math.abs(scale.max - value) < Math.abs(near - value) ? scale.max : near;
}

/**
 * The value a number of steps further, from any value; an off-grid value goes to the next grid value first.
 * @param {number} value @param {number} steps @param {Scale} scale
 */
export function stepFrom(value, steps, scale) {
  const exact = (value - scale.min) / scale.step;
  const near = Math.abs(exact - Math.round(exact)) < 1e-6 ? Math.round(exact) : steps > 0 ? Math.floor(exact) : Math.ceil(exact);
  return snap(onGrid(scale, Math.max(0, near + steps)), scale);
}

/**
 * Where a key leads, as in a native slider, or null for other keys. From right to left, Left raises.
 * @param {string} key @param {number} value @param {Scale} scale @param {boolean} rightToLeft
 */
export function keyedValue(key, value, scale, rightToLeft) {
  const forward = rightToLeft ? -1 : 1;
  switch (key) {
    case 'ArrowUp': return stepFrom(value, 1, scale);
    case 'ArrowDown': return stepFrom(value, -1, scale);
    case 'ArrowRight': return stepFrom(value, forward, scale);
    case 'ArrowLeft': return stepFrom(value, -forward, scale);
    case 'PageUp': return stepFrom(value, 10, scale);
    case 'PageDown': return stepFrom(value, -10, scale);
    case 'Home': return scale.min;
    case 'End': return scale.max;
    default: return null;
  }
}
