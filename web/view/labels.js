// Puts labels next to the things they name, so that they cover neither each other nor what is drawn.

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */
/** @typedef {{ x: number, y: number }} Point */
/**
 * @typedef {object} Label
 * @property {Point} at  what it names
 * @property {Point} toward  the direction it should lie in, of any length
 * @property {number} width @property {number} height
 * @property {number} gap  between the thing and the label
 */

const DIRECTIONS = 16;

/**
 * Boxes for labels, in the same order. Earlier labels do not make way for later ones.
 * @param {readonly Label[]} labels
 * @param {object} around
 * @param {Box} around.bounds  to stay in
 * @param {readonly Box[]} [around.boxes]  not to be covered
 * @param {readonly [Point, Point][]} [around.lines]  better not covered
 * @returns {Box[]}
 */
export function placeLabels(labels, { bounds, boxes = [], lines = [] }) {
  /** @type {Box[]} */
  const placed = [];
  for (const label of labels) {
    const { at, gap } = label;
    const thing = { left: at.x - gap, right: at.x + gap, top: at.y - gap, bottom: at.y + gap };
    const taken = [thing, ...boxes, ...placed];
    const wanted = Math.atan2(label.toward.y, label.toward.x);
    let best = boxAt(label, wanted);
    let least = Infinity;
    for (let index = 0; index < DIRECTIONS; index += 1) {
      // 0, +1, -1, +2, -2 …: nearer to the wanted direction first.
      const turn = Math.ceil(index / 2) * (index % 2 ? 1 : -1) * ((2 * Math.PI) / DIRECTIONS);
      const free = boxAt(label, wanted + turn);
      const box = shiftedInto(free, bounds);
      const shift = Math.abs(box.left - free.left) + Math.abs(box.top - free.top);
      const cost = 6 * Math.abs(turn) + 3 * shift + taken.reduce((sum, other) => sum + 4 * overlap(box, other), 0)
        + lines.reduce((sum, line) => sum + 4 * covered(box, line), 0);
      if (cost < least) [best, least] = [box, cost];
    }
    placed.push(best);
  }
  return placed;
}

/** @param {Label} label @param {number} angle @returns {Box} */
function boxAt({ at, width, height, gap }, angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  // How far the centre must be for the box's edge to be `gap` away.
  const reach = Math.min((width / 2 + gap) / Math.max(Math.abs(cos), 1e-9), (height / 2 + gap) / Math.max(Math.abs(sin), 1e-9));
  const [x, y] = [at.x + cos * reach, at.y + sin * reach];
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

/** @param {Box} box @param {Box} bounds @returns {Box} */
function shiftedInto({ left, right, top, bottom }, bounds) {
  const x = Math.max(0, bounds.left - left) - Math.max(0, right - bounds.right);
  const y = Math.max(0, bounds.top - top) - Math.max(0, bottom - bounds.bottom);
  return { left: left + x, right: right + x, top: top + y, bottom: bottom + y };
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  return Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
}

/** How many px of a line run through a box, roughly. @param {Box} box @param {[Point, Point]} line */
function covered(box, [from, to]) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const steps = Math.max(1, Math.ceil(length / 4));
  let hits = 0;
  for (let step = 0; step <= steps; step += 1) {
    const x = from.x + ((to.x - from.x) * step) / steps;
    const y = from.y + ((to.y - from.y) * step) / steps;
    if (x > box.left && x < box.right && y > box.top && y < box.bottom) hits += 1;
  }
  return hits * (length / steps);
}

/** The width of a text without measuring it, so that layout needs no drawing. @param {string} text @param {number} size  px */
export function textWidth(text, size) {
  let ems = 0;
  for (const letter of text) ems += /[\u2e80-\uffef]/.test(letter) ? 1 : /[,.:;'|[\]() il]/.test(letter) ? 0.32 : /[−∠]/.test(letter) ? 0.86 : 0.6;
  return ems * size;
}
