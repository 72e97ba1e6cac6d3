// `npm run screenshot`: takes the pictures in the README anew, from the built package.
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../cpp/toolchain/paths.mjs';
import { SetupError } from '../../cpp/toolchain/run.mjs';
import { reportProblems, setup } from '../../cpp/toolchain/setup.mjs';
import { buildPackage } from './build.mjs';

const folder = path.join(projectRoot, 'web/notes/assets');
const maximumBytes = 100_000; // every clone carries them

/** The pictures' names and what is in them. @type {Record<string, string>} */
const pictures = {
  'two-key.png': '<attn-two-key q="1,0"></attn-two-key>',
  'mask.png': '<attn-mask n="3" mask="causal"></attn-mask>',
};

await reportProblems(async () => {
  setup({ forTests: true });
  await buildPackage();
  const { chromium } = await import('playwright-core');
  const { launchOptions } = await import('../../tests/browser/support/chromium.js');
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage({ viewport: { width: 960, height: 600 }, deviceScaleFactor: 1.5, colorScheme: 'light', reducedMotion: 'reduce', locale: 'en' });
    mkdirSync(folder, { recursive: true });
    for (const [name, element] of Object.entries(pictures)) {
      await page.setContent(`<!doctype html><html lang="en"><body>${element}`);
      await page.addScriptTag({ path: path.join(projectRoot, 'dist/attn-widgets.classic.js') });
      const figure = page.locator('body > *').first();
      await figure.evaluate((/** @type {any} */ { ready }) => ready);
      const file = path.join(folder, name);
      await figure.screenshot({ path: file });
      const { size } = statSync(file);
      if (size > maximumBytes) throw new SetupError(`${name} has ${size} bytes: expected at most ${maximumBytes}.`);
      console.log(`screenshot: ${path.relative(projectRoot, file)}, ${(size / 1000).toFixed(0)} kB`);
    }
  } finally {
    await browser.close();
  }
});
