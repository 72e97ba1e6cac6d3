import { loadEngine } from 'attn-widgets';

const engine = await loadEngine();
engine.attention([[1, 0]], [[1, 0]], [[1, 0]], { causal: 'yes' });
engine.attention([[1, 0]], [[1, 0]], [[1, 0]], { casual: true });
await loadEngine({ variant: 'fast' });
