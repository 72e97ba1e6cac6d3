import { Layout } from './layout.js';

/** A tensor repeated to [B, Hq, nq, nk]; place 0: not given. */
const notGiven = { place: 0, batch: 0, head: 0, query: 0, key: 0 };

/** The scaled dot product; the places of parameters that other kinds have (`cpp/include/attn/scoring.h`). */
const scaledDot = { kind: 0, w: 0, b: 0, wq: 0, wk: 0, v: 0, width: 0, scores: 0 };

/**
 * What one call was asked to do, as it crosses to C++ (`cpp/bindings/call.h`), and where its arrays will lie.
 * NaN stands for a number that was not given.
 */
export class Settings {
  layout = new Layout();
  wire = {
    scoring: scaledDot,
    scale: NaN,
    softcap: NaN,
    queryOffset: NaN,
    windowLeft: NaN,
    windowRight: NaN,
    causal: false,
    keyLengths: 0,
    allowKeys: 0,
    allowKeysStride: 0,
    allow: notGiven,
    bias: notGiven,
    blocks: 0,
    blockQueries: 1,
    blockKeys: 1,
    emptyRows: 0,
    tileQueries: 0,
    tileKeys: 0,
  };
  tensors = {
    query: 0, key: 0, value: 0, output: 0, weights: 0, scores: 0, logSumExp: 0,
    traceVisited: 0, traceMax: 0, traceSum: 0, traceOutput: 0,
  };
  /** @type {((score: number, b: number, h: number, i: number, j: number) => unknown) | undefined} */
  scoreMod;
  /** @type {((b: number, h: number, i: number, j: number) => unknown) | undefined} */
  maskMod;
  trace = false;
  /** The window as it was given, for the report. @type {number | { left: number, right: number } | null} */
  window = null;
  /** @type {AbortSignal | undefined} */
  signal;
  /** @type {((done: number) => void) | undefined} */
  onProgress;
  returnScores = false;
  returnLogSumExp = false;
  /** As it was given. @type {unknown} */
  out;
  /** The caller's arrays for outputs, by name. @type {ReturnType<typeof import('./out.js').readOut>} */
  arrays = {};

  /** @param {{ type?: typeof Float32Array | typeof Float64Array, returnWeights?: boolean }} [method] the precision of its tensors, and a default */
  constructor({ type = Float32Array, returnWeights = false } = {}) {
    this.type = type;
    this.returnWeights = returnWeights;
  }

  /** @param {Partial<typeof scaledDot>} scoring */
  setScoring(scoring) {
    this.wire.scoring = { ...scaledDot, ...scoring };
  }

  /** @param {'allow' | 'bias'} name @param {import('./layout.js').ArrayType} type @param {import('./layout.js').Values} values @param {readonly number[]} strides */
  broadcast(name, type, values, [batch, head, query, key]) {
    this.wire[name] = { place: this.layout.addInput(name, type, values), batch, head, query, key };
  }
}
