import { loadEngine } from 'attn-widgets';

/** Every build of the core: what holds for one holds for all. */
export const engines = [
  { variant: 'simd', engine: await loadEngine({ variant: 'simd' }) },
  { variant: 'scalar', engine: await loadEngine({ variant: 'scalar' }) },
];
