import { loadEngine } from 'attn-widgets';

const engine = await loadEngine();
engine.attention([[1, 0]], [[1, 0]], [[1, 0]], { causal: 'yes' });
engine.attention([[1, 0]], [[1, 0]], [[1, 0]], { casual: true });
engine.attention([[1, 0]], [[1, 0]], [[1, 0]], { scoring: { kind: 'general' } });
engine.reference.attention([[1, 0]], [[1, 0]], [[1, 0]], { trace: true });
await loadEngine({ variant: 'fast' });
engine.linearAttention([[1, 0]], [[1, 0]], [[1]], { rule: 'gated_delta' });
engine.softmax([1], { precision: 'f8' });
engine.positions.alibi({ heads: 2, queries: 1 });
engine.attentionBackward([[1]], [[1]], [[1]], [[1]], { scoreMod: (score: number) => score });
engine.multiHeadAttention([[1]], { wq: [[1]], wk: [[1]], wv: [[1]] });
engine.explain.gradient([[1]], [[1]], [[1]], { component: 0, direction: [1] });
engine.createKvCache({ kvHeads: 1, headDim: 1, valueDim: 1 }).attend([[1]], { scoreMod: (score: number) => score });
