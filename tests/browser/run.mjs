// Runs the browser tests against one Chromium: `node tests/browser/run.mjs [files]`.

import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { ENDPOINT, launchOptions } from './support/chromium.js';

const folder = fileURLToPath(new URL('.', import.meta.url));
const named = process.argv.slice(2);
const files = named.length > 0 ? named : readdirSync(folder).filter((file) => file.endsWith('.test.js')).map((file) => folder + file);

/** @type {ReturnType<typeof launchOptions>} */
let options;
try {
  options = launchOptions();
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exit(1);
}
const server = await chromium.launchServer(options);
const tests = spawn(process.execPath, ['--test', '--test-concurrency=2', ...files], {
  stdio: 'inherit',
  env: { ...process.env, [ENDPOINT]: server.wsEndpoint() },
});
tests.on('close', async (code) => {
  await server.close();
  process.exitCode = code ?? 1;
});
