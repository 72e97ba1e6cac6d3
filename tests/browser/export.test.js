import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventsOf, recordEvents } from './support/element.js';
import { parseCsv } from './support/csv.js';
import { browserTest } from './support/page.js';

const EXAMPLES = [
  '<attn-two-key q="0.3,-1.25"></attn-two-key>',
  '<attn-mask n="4" mask="causal" scores="random" tokens="the,&quot;cat&quot;,&lt;b,comma"></attn-mask>',
];
/** Around an exported picture, CSS px. */
const MARGIN = 16;

for (const markup of EXAMPLES) {
  const tag = /** @type {RegExpExecArray} */ (/^<([\w-]+)/.exec(markup))[1];

  browserTest(`<${tag}>: toSVG is a document of its own that shows the same picture`, async (site) => {
    const page = await site.open(markup);
    const found = await page.$eval(tag, async (element) => {
      const text = /** @type {any} */ (element).toSVG();
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
      const image = new Image();
      image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const paper = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
      paper.drawImage(image, 0, 0);
      const colors = new Set();
      const { data } = paper.getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 0; at < data.length; at += 4) colors.add(data.slice(at, at + 4).join());
      const drawing = /** @type {SVGSVGElement} */ (/** @type {ShadowRoot} */ (element.shadowRoot).querySelector('svg'));
      return {
        error: parsed.querySelector('parsererror')?.textContent ?? null,
        root: `${parsed.documentElement.namespaceURI} ${parsed.documentElement.localName}`,
        size: [image.naturalWidth, image.naturalHeight],
        onScreen: [Math.round(drawing.getBoundingClientRect().width), Math.round(drawing.getBoundingClientRect().height)],
        leaks: [...parsed.querySelectorAll('script, style, foreignObject, image, link, [class], [tabindex], [style]')].map((node) => node.outerHTML.slice(0, 80)),
        references: [...text.matchAll(/(?:href|url\()\s*=?\s*["']?([^#"')\s][^"')]*)/g)].map((match) => match[1]),
        texts: [...parsed.querySelectorAll('text')].map((node) => node.textContent?.trim()),
        shown: [...drawing.querySelectorAll('text')].filter((node) => !node.closest('[data-live]')).map((node) => node.textContent?.trim()),
        colors: colors.size,
      };
    });
    assert.equal(found.error, null);
    assert.equal(found.root, 'http://www.w3.org/2000/svg svg');
    // As on the screen, with a margin around it.
    assert.deepEqual(found.size, found.onScreen.map((length) => length + 2 * MARGIN));
    assert.deepEqual(found.leaks, []);
    assert.deepEqual(found.references, []);
    assert.deepEqual(found.texts, found.shown);
    assert.ok(found.colors > 20, `${found.colors} colours`);
  });

  browserTest(`<${tag}>: toPNG has the signature and twice the size of the picture`, async (site) => {
    const page = await site.open(markup);
    const { bytes, width, height, type } = await page.$eval(tag, async (element) => {
      const blob = await /** @type {any} */ (element).toPNG();
      const box = /** @type {Element} */ (/** @type {ShadowRoot} */ (element.shadowRoot).querySelector('svg')).getBoundingClientRect();
      return { bytes: [...new Uint8Array(await blob.arrayBuffer()).slice(0, 24)], width: box.width, height: box.height, type: blob.type };
    });
    const head = Buffer.from(bytes);
    assert.equal(type, 'image/png');
    assert.deepEqual([...head.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    assert.deepEqual([head.readUInt32BE(16), head.readUInt32BE(20)], [Math.round((width + 2 * MARGIN) * 2), Math.round((height + 2 * MARGIN) * 2)]);
  });

  browserTest(`E10: the CSV of <${tag}> reads back exactly`, async (site) => {
    const page = await site.open(markup);
    const { csv, result } = await page.$eval(tag, (element) => ({ csv: /** @type {any} */ (element).toCSV(), result: /** @type {any} */ (element).result }));
    const [columns, ...rows] = parseCsv(csv);
    assert.ok(rows.length > 0 && rows.every((row) => row.length === columns.length), csv);
    const numbers = rows.flat().filter((cell) => cell !== '').map(Number);
    for (const value of [result.weights, result.output].flat(2)) {
      assert.ok(numbers.some((number) => Object.is(Math.fround(number), Math.fround(value))), `${value} is not in\n${csv}`);
    }
  });

  browserTest(`<${tag}>: toJSON goes through JSON and holds state and result`, async (site) => {
    const page = await site.open(markup);
    const { text, state, result } = await page.$eval(tag, (element) => {
      const widget = /** @type {any} */ (element);
      return { text: JSON.stringify(widget), state: widget.state, result: widget.result };
    });
    const read = JSON.parse(text);
    assert.deepEqual(read.state, state);
    assert.deepEqual(read.result, result);
  });

  browserTest(`<${tag}>: the export menu saves all four files and changes nothing`, async (site) => {
    const page = await site.open(markup);
    await recordEvents(page, 'attn-change');
    const folder = mkdtempSync(join(tmpdir(), 'attn-'));
    /** @type {Record<string, Buffer>} */
    const files = {};
    for (const kind of ['SVG', 'PNG', 'CSV', 'JSON']) {
      await page.locator(tag).getByText('Export', { exact: true }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator(tag).getByRole('menuitem', { name: kind }).or(page.locator(tag).getByRole('button', { name: kind })).first().click(),
      ]);
      assert.equal(download.suggestedFilename(), `${tag}.${kind.toLowerCase()}`);
      const saved = join(folder, download.suggestedFilename());
      await download.saveAs(saved);
      files[kind] = readFileSync(saved);
    }
    rmSync(folder, { recursive: true });
    const expected = await page.$eval(tag, (element) => {
      const widget = /** @type {any} */ (element);
      return { SVG: widget.toSVG(), CSV: widget.toCSV(), JSON: JSON.parse(JSON.stringify(widget)) };
    });
    assert.equal(files.SVG.toString(), expected.SVG);
    assert.equal(files.CSV.toString(), expected.CSV);
    assert.deepEqual(JSON.parse(files.JSON.toString()), expected.JSON);
    assert.equal(files.PNG.subarray(1, 4).toString(), 'PNG');
    assert.deepEqual(await eventsOf(page, 'attn-change'), []);
  });
}

browserTest('G06: a file keeps the value that the page shows as 0.000', async (site) => {
  const page = await site.open('<attn-two-key q="-0.0001,0"></attn-two-key>');
  const csv = parseCsv(await page.$eval('attn-two-key', (element) => /** @type {any} */ (element).toCSV()));
  assert.ok(csv.flat().some((cell) => Math.abs(Number(cell) + 0.0001 / Math.SQRT2) < 1e-9 && cell !== ''), JSON.stringify(csv));
  await page.locator('attn-two-key').getByText('0.000').first().waitFor();
});

browserTest('E09: what is not a number is NaN and −Infinity in result, not null', async (site) => {
  const page = await site.open('<attn-mask n="2" mask="own" allow="00; 11" empty-rows="nan"></attn-mask>');
  const { weights, output } = await page.$eval('attn-mask', (element) => /** @type {any} */ (element).result);
  assert.deepEqual(weights[0], [NaN, NaN]);
  assert.deepEqual(output[0], [NaN]);
});
