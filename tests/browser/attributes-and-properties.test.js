import assert from 'node:assert/strict';
import { browserTest } from './support/page.js';
import { stateOf } from './support/element.js';

const BOTH = [
  { name: 'AttnTwoKey', key: 'q', attribute: ['q', '0,1'], byAttribute: [0, 1], byProperty: [2, 3] },
  { name: 'AttnMask', key: 'window', attribute: ['window', '3'], byAttribute: 3, byProperty: 4 },
];

for (const { name, key, attribute, byAttribute, byProperty } of BOTH) {
  browserTest(`D03: ${name} ends in the documented state whatever the order of attribute, property, insertion and definition`, async (site) => {
    const page = await site.open('');
    const outcomes = await page.evaluate(async ([className, stateKey, attributePair, property]) => {
      /** @param {string[]} items @returns {string[][]} */
      const orders = (items) => (items.length < 2 ? [items] : items.flatMap((item) => orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest])));
      const Base = (await import(/** @type {any} */ ('/dist/elements.js')))[className];
      const found = [];
      for (const [index, order] of orders(['attribute', 'property', 'insert', 'define']).entries()) {
        const tag = `x-order-${className.toLowerCase()}-${index}`;
        const element = /** @type {any} */ (document.createElement(tag));
        for (const step of order) {
          if (step === 'attribute') element.setAttribute(attributePair[0], attributePair[1]);
          if (step === 'property') element[stateKey] = property;
          if (step === 'insert') document.body.append(element);
          if (step === 'define') customElements.define(tag, class extends Base {});
        }
        await element.ready;
        found.push({ order, value: element.state[stateKey] });
      }
      return found;
    }, /** @type {const} */ ([name, key, attribute, byProperty]));

    assert.equal(outcomes.length, 24);
    for (const { order, value } of outcomes) {
      const at = (/** @type {string} */ step) => order.indexOf(step);
      const upgrade = Math.max(at('insert'), at('define'));
      const bothBefore = at('attribute') < upgrade && at('property') < upgrade;
      const expected = bothBefore || at('property') > at('attribute') ? byProperty : byAttribute;
      assert.deepEqual(value, expected, order.join(' → '));
    }
  });
}

browserTest('D03: JSON in a child script sets the state, and the last write wins', async (site) => {
  const page = await site.open('<attn-two-key><script type="application/json">{"q": [0, 1]}</script></attn-two-key>');
  assert.deepEqual((await stateOf(page, 'attn-two-key')).q, [0, 1]);

  await page.$eval('attn-two-key', (element) => element.setAttribute('q', '1,1'));
  assert.deepEqual((await stateOf(page, 'attn-two-key')).q, [1, 1]);

  await page.$eval('attn-two-key > script', (script) => { script.textContent = '{"q": [0.5, 0]}'; });
  assert.deepEqual((await stateOf(page, 'attn-two-key')).q, [0.5, 0]);
});

browserTest('D03: a property set before the upgrade beats the JSON of the child script', async (site) => {
  const page = await site.open('<attn-two-key><script type="application/json">{"q": [0, 1], "temperature": 2}</script></attn-two-key>', { script: null });
  await page.$eval('attn-two-key', (element) => { /** @type {any} */ (element).q = [3, 0]; });
  await page.evaluate(() => import(/** @type {any} */ ('/dist/elements.js')));
  const { q, temperature } = await stateOf(page, 'attn-two-key');
  assert.deepEqual({ q, temperature }, { q: [3, 0], temperature: 2 });
});

browserTest('D03: arrays may be attributes in words, attributes in JSON, properties or child JSON', async (site) => {
  const page = await site.open(`
    <attn-two-key id="words" keys="1,0; 0,1; 1,1" values="2,0; 0,4; 1,1"></attn-two-key>
    <attn-two-key id="json" keys="[[1,0],[0,1],[1,1]]" values="[[2,0],[0,4],[1,1]]"></attn-two-key>
    <attn-two-key id="child"><script type="application/json">{"keys": [[1,0],[0,1],[1,1]], "values": [[2,0],[0,4],[1,1]]}</script></attn-two-key>
    <attn-two-key id="property"></attn-two-key>`);
  await page.$eval('#property', (element) => Object.assign(element, { keys: [[1, 0], [0, 1], [1, 1]], values: [[2, 0], [0, 4], [1, 1]] }));
  const states = await Promise.all(['#words', '#json', '#child', '#property'].map((id) => stateOf(page, id)));
  for (const state of states) assert.deepEqual(state, states[0]);
  assert.deepEqual(states[0].keys, [[1, 0], [0, 1], [1, 1]]);
});

browserTest('C15: the element is fine inside a paragraph and ignores its text', async (site) => {
  const page = await site.open('<p id="around">Before <attn-two-key>ignored</attn-two-key> after.</p>');
  assert.equal(await page.$eval('attn-two-key', (element) => element.parentElement?.id), 'around');
  assert.deepEqual((await stateOf(page, 'attn-two-key')).q, [1, 0]);
});
