/** The nearest float16 number, ties to even: IEEE 754 binary16 has 11 significant bits and exponents from −14 to 15. @param {number} value */
export function roundToHalf(value) {
  if (!Number.isFinite(value) || value === 0) return value;
  const size = Math.abs(value);
  const step = 2 ** (Math.max(-14, Math.floor(Math.log2(size))) - 10);
  const below = Math.floor(size / step);
  const rest = size / step - below;
  const up = rest > 0.5 || (rest === 0.5 && below % 2 === 1);
  const rounded = (below + Number(up)) * step;
  return Math.sign(value) * (rounded > 65504 ? Infinity : rounded);
}
