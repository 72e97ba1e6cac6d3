import assert from 'node:assert/strict';
import { drawn } from './support/element.js';
import { browserTest } from './support/page.js';

const EXAMPLES = [
  '<attn-two-key q="0.3,-1.25" keys="1,0; 0,1; -1,2" values="2,0; 0,4; 1,1" temperature="0.5"></attn-two-key>',
  '<attn-mask n="5" mask="window" window="3" causal scores="random" seed="7" tokens="a,b,c,d,e" compare></attn-mask>',
];

for (const markup of EXAMPLES) {
  const tag = /** @type {RegExpExecArray} */ (/^<([\w-]+)/.exec(markup))[1];

  browserTest(`the state of <${tag}> goes through JSON into another element and gives the same numbers`, async (site) => {
    const page = await site.open(`${markup}<${tag} id="other"></${tag}>`);
    await page.evaluate((name) => {
      const [one, other] = /** @type {any[]} */ ([...document.querySelectorAll(name)]);
      other.state = JSON.parse(JSON.stringify(one.state));
    }, tag);
    await drawn(page);
    const [one, other] = await page.$$eval(tag, (elements) => elements.map((element) => /** @type {any} */ (element).toJSON()));
    assert.deepEqual(other.state, one.state);
    assert.deepEqual(other.result, one.result);
  });

  browserTest(`<${tag}>: state and result are copies`, async (site) => {
    const page = await site.open(markup);
    const unchanged = await page.$eval(tag, (element) => {
      const widget = /** @type {any} */ (element);
      const before = JSON.stringify(widget.toJSON());
      const scramble = (/** @type {any} */ value) => {
        for (const key of Object.keys(value ?? {})) {
          if (typeof value[key] === 'object') scramble(value[key]);
          else value[key] = 99;
        }
      };
      scramble(widget.state);
      scramble(widget.result);
      return JSON.stringify(widget.toJSON()) === before;
    });
    assert.ok(unchanged);
  });

  browserTest(`<${tag}>: reset goes back to the markup`, async (site) => {
    const page = await site.open(markup);
    const before = await page.$eval(tag, (element) => /** @type {any} */ (element).toJSON());
    const changed = tag === 'attn-two-key' ? { q: [3, 3], temperature: 1 } : { mask: 'none', seed: 1 };
    await page.$eval(tag, (element, values) => { /** @type {any} */ (element).state = values; }, changed);
    await drawn(page);
    assert.notDeepEqual((await page.$eval(tag, (element) => /** @type {any} */ (element).toJSON())).result, before.result);
    await page.$eval(tag, (element) => /** @type {any} */ (element).reset());
    await drawn(page);
    assert.deepEqual(await page.$eval(tag, (element) => /** @type {any} */ (element).toJSON()), before);
  });
}

browserTest('E02: ten elements with different data stay independent, without ids or names of their own on the page', async (site) => {
  const markup = Array.from({ length: 10 }, (_, at) => `<attn-two-key q="${at / 10},0"></attn-two-key>`).join('');
  const page = await site.open(markup, { script: null });
  const globals = () => page.evaluate(() => Object.getOwnPropertyNames(window).sort());
  const before = await globals();
  await page.evaluate(() => import(/** @type {any} */ ('/dist/elements.js')));
  await page.waitForFunction(() => [...document.querySelectorAll('attn-two-key')].every((element) => /** @type {any} */ (element).result));
  await page.$$eval('attn-two-key', (elements) => { /** @type {any} */ (elements[4]).q = [-1, 2]; });
  await drawn(page);
  const queries = await page.$$eval('attn-two-key', (elements) => elements.map((element) => /** @type {any} */ (element).state.q));
  assert.deepEqual(queries, Array.from({ length: 10 }, (_, at) => (at === 4 ? [-1, 2] : [at / 10, 0])));
  const scores = await page.$$eval('attn-two-key', (elements) => elements.map((element) => /** @type {any} */ (element).result.scores[0]));
  scores.forEach((score, at) => assert.ok(Math.abs(score - queries[at][0] / Math.SQRT2) < 1e-6));
  assert.equal(await page.evaluate(() => document.querySelectorAll('[id]').length), 0);
  // Lit keeps its versions and metadata in four globals; nothing else may appear.
  const added = (await globals()).filter((name) => !before.includes(name) && !['litElementVersions', 'litHtmlVersions', 'litPropertyMetadata', 'reactiveElementVersions'].includes(name));
  assert.deepEqual(added, []);
});
