import { refusals } from './errors.js';
import { requireSameWidth } from './inputs.js';
import { choice, number } from './option-values.js';
import { record } from './record.js';
import { readTensor } from './tensor-input.js';

/** @typedef {import('./inputs.js').CallShape} CallShape */
/** @typedef {import('./settings.js').Settings} Settings */

/** The kinds, in the order of attn::Scoring. */
export const scoringKinds = ['scaled-dot', 'dot', 'general', 'additive', 'cosine', 'linear', 'trilinear'];

/** What else may be said with some of them. @type {Record<string, readonly string[]>} */
const parameters = { general: ['w', 'b'], additive: ['wq', 'wk', 'v'], linear: ['w', 'b'], trilinear: ['w', 'b'] };

/** The kinds that take queries and keys of different widths. */
const ofAnyWidths = ['general', 'additive', 'linear'];

/**
 * How a query and a key make a score. Parameters are float64 in every call.
 * @param {unknown} value @param {Settings} settings @param {CallShape} shape
 */
export function readScoring(value, settings, shape) {
  const { kind: name, ...given } = record('scoring', value, ['kind', 'w', 'b', 'wq', 'wk', 'v']);
  const kind = choice('scoring.kind', scoringKinds, name);
  const known = ['kind', ...(parameters[scoringKinds[kind]] ?? [])];
  for (const key of Object.keys(given)) {
    if (given[key] !== undefined && !known.includes(key)) throw refusals.unknown('scoring', key, known);
  }
  settings.setScoring({ kind });
  requireWidths(settings, shape); // else the sizes of parameters make no sense
  settings.setScoring({ kind, ...readParameters[scoringKinds[kind]]?.(given, settings, shape) });
}

/** Throws if the scoring needs queries as wide as keys and they are not. @param {Settings} settings @param {CallShape} shape */
export function requireWidths({ wire }, shape) {
  if (!ofAnyWidths.includes(scoringKinds[wire.scoring.kind])) requireSameWidth(shape);
}

/** @type {Record<string, (given: Record<string, unknown>, settings: Settings, shape: CallShape) => Partial<Settings['wire']['scoring']>>} */
const readParameters = {
  general: ({ w, b }, settings, { queryDim, keyDim }) => ({
    w: tensor('w', w, settings, [queryDim, keyDim], 'width of q by width of k'),
    b: constant(b),
  }),
  additive({ wq, wk, v }, settings, { queryDim, keyDim }) {
    let width = 0;
    const layer = readTensor('scoring.wq', wq, (shape) => {
      if (shape.length !== 2 || shape[0] === 0 || shape[1] !== queryDim) {
        throw refusals.parameter('scoring.wq', `[a, ${queryDim}] (hidden units by width of q)`, shape);
      }
      [width] = shape;
    });
    return {
      wq: settings.layout.addInput('scoring.wq', Float64Array, layer),
      wk: tensor('wk', wk, settings, [width, keyDim], 'hidden units by width of k'),
      v: tensor('v', v, settings, [width], 'hidden units'),
      width,
    };
  },
  linear: ({ w, b }, settings, { queryDim, keyDim }) => ({
    w: tensor('w', w, settings, [queryDim + keyDim], 'width of q + width of k'),
    b: constant(b),
  }),
  trilinear: ({ w, b }, settings, { queryDim }) => ({
    w: tensor('w', w, settings, [3 * queryDim], '3 × width of q'),
    b: constant(b),
  }),
};

/** The place of a parameter of this shape. @param {string} name @param {unknown} value @param {Settings} settings @param {readonly number[]} expected @param {string} meaning */
function tensor(name, value, { layout }, expected, meaning) {
  const full = `scoring.${name}`;
  const view = readTensor(full, value, (shape) => {
    const same = shape.length === expected.length && shape.every((size, axis) => size === expected[axis]);
    if (!same) throw refusals.parameter(full, `[${expected.join(', ')}] (${meaning})`, shape);
  });
  return layout.addInput(full, Float64Array, view);
}

/** @param {unknown} value */
const constant = (value) => (value === undefined ? 0 : number('scoring.b', 'a finite number', value, Number.isFinite));
