import { loadEngine } from 'attn-widgets';
import { AttnMask, AttnTwoKey } from 'attn-widgets/elements';
import { AttnTwoKey as Alone } from 'attn-widgets/elements/two-key';

const engine = await loadEngine({ variant: 'auto' });
const { output, weights } = engine.attention([[1, 0]], [[1, 0], [0, 1]], { data: new Float32Array(4), shape: [2, 2] }, { causal: true, queryOffset: 0, returnWeights: true });
const first: number = output.data[0] + (weights?.data[0] ?? 0);
const turned: Float32Array = engine.positions.rope([[1, 0]], { offset: 3, interleaved: true }).data;
const running = engine.linearAttention([[1, 0]], [[1, 0]], [[1]], { rule: 'gated', decay: [-1] });
const resumed = engine.reference.linearAttention([[1, 0]], [[1, 0]], [[1]], { rule: 'gated', decay: [-1], state: running.state });
const exact: Float64Array = resumed.output.data;
const half: Float32Array = engine.softmax([12, 0], { precision: 'f16', stable: false }).data;
const bahdanau = engine.attention([[1]], [[1, 0]], [[1]], { scoring: { kind: 'additive', wq: [[1]], wk: [[1, 0]], v: [1] }, scoreMod: (score, _b, _h, i, j) => score + i - j, trace: true });
const largest: number[] = bahdanau.trace.tiles[0].max;
const layers = { wq: [[1]], wk: [[1]], wv: [[1]], heads: 1 };
const perHead: Float32Array = engine.multiHeadAttention([[1]], { ...layers, maskMod: (_b, h, i, j) => j - i < h, returnHeads: true }).heads.data;
const widest = engine.reference.multiHeadAttention([[1]], { ...layers, scoreMod: (score, b) => score + b });
const named: Float64Array = widest.weights.data;
const slopes: Float32Array = engine.attentionBackward([[1]], [[1]], [[1]], [[1]], { maskMod: (b, h) => b === h }).dQuery.data;
const moved: Float64Array = engine.explain.leaveOneOut([[1]], [[1]], [[1]], { scoreMod: (score) => score / 2 }).difference.data;
const cache = engine.createKvCache({ kvHeads: 1, headDim: 1, valueDim: 1, dtype: 'f16' });
const decoded: Float32Array = cache.attend([[1]], { maskMod: (_b, _h, i, j) => j <= i, returnWeights: true }).weights.data;
const later: Promise<unknown> = engine.attentionAsync([[1]], [[1]], [[1]], { onProgress: (done) => done.toFixed(2), maskMod: (b, h) => b < h });
const simd: boolean = engine.info.simd;

const element: AttnTwoKey = document.createElement('attn-two-key');
const mask: AttnMask | null = document.querySelector('attn-mask');
const ready: Promise<unknown> = element.ready;
mask?.reset();

export { Alone, decoded, exact, first, half, largest, later, moved, named, perHead, ready, simd, slopes, turned };
