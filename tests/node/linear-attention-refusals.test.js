import { describe, test } from 'node:test';
import { loadEngine } from 'attn-widgets';
import { refuses } from './support/refuses.js';
import { zeros } from './support/tensors.js';

const engine = await loadEngine();
const [q, k, v] = [zeros(2, 4, 3, 5), zeros(2, 2, 3, 5), zeros(2, 2, 3, 6)];
const [perKey, perComponent] = [zeros(2, 2, 3), zeros(2, 2, 3, 5)];

for (const [name, call] of /** @type {const} */ ([['linearAttention', engine.linearAttention], ['reference.linearAttention', engine.reference.linearAttention]])) {
  describe(`what ${name} refuses`, () => {
    /** @param {string} what @param {any} options @param {typeof TypeError | typeof RangeError} kind @param {string | RegExp} sentence */
    const refused = (what, options, kind, sentence) => test(what, () => refuses(engine, () => call(q, k, v, options), kind, sentence));

    for (const rule of ['linnear', 'gated_delta', null, 1, true]) {
      refused(`rule ${rule}`, { rule }, TypeError, `rule: expected 'linear', 'gated', 'delta' or 'gated-delta', got ${JSON.stringify(rule)}`);
    }
    refused('featureMap', { featureMap: 'elu' }, TypeError, "featureMap: expected 'elu+1', 'relu' or 'identity', got \"elu\"");
    refused('causal', { causal: 'yes' }, TypeError, 'causal: expected true or false, got "yes"');
    refused('normalize', { normalize: 0 }, TypeError, 'normalize: expected true or false, got 0');
    for (const scale of [NaN, Infinity]) refused(`scale ${scale}`, { scale }, RangeError, `scale: expected a finite number, got ${scale}`);
    refused('scale as text', { scale: '1' }, TypeError, 'scale: expected a finite number, got "1"');
    refused('an unknown name', { queryOffset: 1 }, TypeError, /^options: expected known names/);
    refused('options that are none', 3, TypeError, 'options: expected an object, got 3');

    refused('no decay', { rule: 'gated' }, TypeError, "decay: expected numbers, which rule 'gated' needs, got undefined");
    refused('no beta', { rule: 'gated-delta', decay: perKey }, TypeError, "beta: expected numbers, which rule 'gated-delta' needs, got undefined");
    for (const rule of [undefined, 'linear', 'delta']) {
      refused(`decay with rule ${rule}`, { rule, decay: perKey }, TypeError, "decay: expected nothing without rule 'gated' or 'gated-delta', got an object");
    }
    for (const rule of [undefined, 'linear', 'gated']) {
      refused(`beta with rule ${rule}`, { rule, beta: [[[1]]], ...(rule === 'gated' && { decay: perKey }) }, TypeError, "beta: expected nothing without rule 'delta' or 'gated-delta', got an array of length 1");
    }
    for (const shape of [[3], [2, 3], [2, 4, 3], [2, 2, 3, 6], [2, 2, 5], [2, 2, 4, 5], [0, 2, 3]]) {
      refused(`decay of shape [${shape}]`, { rule: 'gated', decay: zeros(...shape) }, RangeError, `decay: expected shape [2, 2, 3] or [2, 2, 3, 5], in which 1 repeats, got [${shape.join(', ')}]`);
    }
    refused('beta per component', { rule: 'delta', beta: perComponent }, RangeError, 'beta: expected shape [2, 2, 3] or [2, 2, 3, 1], in which 1 repeats, got [2, 2, 3, 5]');
    refused('decay as a number', { rule: 'gated', decay: -1 }, TypeError, 'decay: expected nested arrays of numbers or {data, shape}, got -1');
    refused('booleans as beta', { rule: 'delta', beta: engine.mask({ queries: 2, keys: 3, heads: 2 }) }, TypeError, "beta: expected numbers, got booleans (dtype: 'bool')");

    refused('a state without z', { state: zeros(2, 2, 5, 6) }, RangeError, 'state: expected shape [2, 2, 5, 7] like the one this call returns, got [2, 2, 5, 6]');
    refused('a state with z', { rule: 'linear', state: zeros(2, 2, 5, 7) }, RangeError, 'state: expected shape [2, 2, 5, 6] like the one this call returns, got [2, 2, 5, 7]');
    refused('a state per query head', { state: zeros(2, 4, 5, 7) }, RangeError, 'state: expected shape [2, 2, 5, 7] like the one this call returns, got [2, 4, 5, 7]');
    refused('a state of other rank', { state: zeros(5, 7) }, RangeError, 'state: expected shape [2, 2, 5, 7] like the one this call returns, got [5, 7]');

    test('inputs that do not fit each other', () => {
      refuses(engine, () => call(zeros(3, 2, 4), zeros(2, 2, 4), zeros(2, 2, 4)), RangeError, 'q and k: expected query heads to be a multiple of the key/value heads, got 3 query heads and 2 key/value heads');
      refuses(engine, () => call(zeros(2, 4), zeros(3, 5), zeros(3, 4)), RangeError, 'k: expected width 4 like q, got 5');
      refuses(engine, () => call(zeros(2, 4), zeros(3, 4), zeros(2, 4)), RangeError, 'v: expected number of keys 3 like k, got 2');
    });
    test('a state beyond the memory', () => {
      refuses(engine, () => call(zeros(1, 65536), zeros(1, 65536), zeros(1, 65536)), RangeError, new RegExp(`^${name.replace('.', '\\.')}: expected a call that needs at most \\d+ bytes, got one that needs \\d+ bytes \\(most of it for state of shape \\[65536, 65537\\]\\)$`));
    });
  });
}
