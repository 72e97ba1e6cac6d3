import { refusals } from './errors.js';
import { lengthOf } from './lists.js';
import { reading } from './reading.js';
import { Settings } from './settings.js';
import { countOf } from './sizes.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./inputs.js').CallShape} CallShape */
/** @typedef {import('./tensor-input.js').View} View */

/** The place of `Given` among the kinds of attn::Scoring. */
const given = 7;

/**
 * Asks `maskMod` and `scoreMod`, cell by cell, before the call itself, and puts the answers into its settings: those of
 * `maskMod` as a mask of all cells, those of `scoreMod` as scores that are given. Only cells that everything else lets
 * be visible are asked about.
 * @param {Core} core @param {string} name the call, for error sentences
 * @param {CallShape} shape @param {Settings} settings
 * @param {() => { query: View, key: View }} [inputs] not needed for a mask alone
 */
export function askMods(core, name, shape, settings, inputs) {
  const { scoreMod, maskMod, layout, wire } = settings;
  if (!scoreMod && !maskMod) return;
  const size = [shape.batch, shape.queryHeads, shape.queries, shape.keys];
  const visible = visibleCells(core, name, shape, settings, size);
  if (maskMod) {
    forEachVisible(visible, size, (cell, b, h, i, j) => {
      const answer = maskMod(b, h, i, j);
      if (typeof answer !== 'boolean') throw refusals.answer('maskMod', 'true or false', [b, h, i, j], answer);
      visible[cell] = Number(answer);
    });
    settings.broadcast('allow', Uint8Array, { data: visible, shape: size }, stridesOf(size));
  }
  if (scoreMod && inputs) {
    const scores = productScores(core, name, shape, settings, inputs(), size);
    forEachVisible(visible, size, (cell, b, h, i, j) => {
      const answer = scoreMod(scores[cell], b, h, i, j);
      if (typeof answer !== 'number') throw refusals.answer('scoreMod', 'a number', [b, h, i, j], answer);
      scores[cell] = answer;
    });
    settings.setScoring({ kind: given, scores: layout.addInput('scoreMod', Float64Array, { data: scores, shape: size }) });
    // What was asked about has been scaled and capped.
    Object.assign(wire, { scale: NaN, softcap: NaN });
  }
}

/**
 * @param {Uint8Array} visible @param {readonly number[]} size
 * @param {(cell: number, b: number, h: number, i: number, j: number) => void} visit
 */
function forEachVisible(visible, [batch, heads, queries, keys], visit) {
  if (visible.length === 0) return; // however many heads there are
  let cell = 0;
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      for (let i = 0; i < queries; i++) {
        for (let j = 0; j < keys; j++, cell++) {
          if (visible[cell] !== 0) visit(cell, b, h, i, j);
        }
      }
    }
  }
}

/** What the other masks let be visible. @param {Core} core @param {string} name @param {CallShape} shape @param {Settings} settings @param {readonly number[]} size */
function visibleCells(core, name, shape, { layout: options, tensors, wire }, size) {
  const layout = options.copy();
  const output = layout.add('mask', Uint8Array, size);
  const { result, base, memory } = core.executeCall(
    name, { shape, wire, tensors: { ...tensors, output }, layout }, (raw, bytes) => raw._prepareMask(bytes), (raw) => raw._mask(),
  );
  core.expectOk(name, result, layout);
  return memory.read(Uint8Array, base + output, size);
}

/**
 * The scores in float64 after scale and softcap: neither bias nor mask has been applied.
 * @param {Core} core @param {string} name @param {CallShape} shape @param {Settings} settings
 * @param {{ query: View, key: View }} inputs @param {readonly number[]} size
 */
function productScores(core, name, shape, { type, layout: options, tensors, wire: { scoring, scale, softcap } }, { query, key }, size) {
  const layout = options.copy();
  const wire = { ...new Settings().wire, scoring, scale, softcap };
  const places = {
    ...tensors,
    query: layout.addInput('q', Float64Array, rounded('q', type, query)),
    key: layout.addInput('k', Float64Array, rounded('k', type, key)),
    scores: layout.add('scores', Float64Array, size),
  };
  const { result, base, memory } = core.executeCall(
    name, { shape, wire, tensors: places, layout }, (raw, bytes) => raw._prepareReferenceScores(bytes), (raw) => raw._referenceScores(),
  );
  core.expectOk(name, result, layout);
  return memory.read(Float64Array, base + places.scores, size);
}

/** A tensor as the call itself will see it. @param {string} name @param {Settings['type']} type @param {View} view @returns {View} */
function rounded(name, type, { data, shape }) {
  if (type === Float64Array || data instanceof Float32Array) return { data, shape };
  const count = countOf(shape);
  let copy;
  try {
    copy = new Float32Array(count);
  } catch {
    throw refusals.outOfMemory(name, count * Float32Array.BYTES_PER_ELEMENT);
  }
  reading(name, () => {
    const length = lengthOf(data);
    if (length !== count) throw refusals.changed(name, count, length);
    copy.set(data);
  });
  return { data: copy, shape };
}

/** @param {readonly number[]} size */
const stridesOf = ([, heads, queries, keys]) => [heads * queries * keys, queries * keys, keys, 1];
