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
const simd: boolean = engine.info.simd;

const element: AttnTwoKey = document.createElement('attn-two-key');
const mask: AttnMask | null = document.querySelector('attn-mask');
const ready: Promise<unknown> = element.ready;
mask?.reset();

export { Alone, exact, first, half, largest, ready, simd, turned };
