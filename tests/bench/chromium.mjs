// The same cases in headless Chromium: bundles the benchmark, serves it with the packages, and waits for the numbers.
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildRoot, projectRoot } from '../../cpp/toolchain/paths.mjs';
import { launchOptions } from '../browser/support/chromium.js';
import { peersFolder } from './install.mjs';

const bundle = path.join(buildRoot, 'bench');

/** @param {boolean} withPeers without them their imports stay as they are and fail in the page, where that is reported */
async function bundlePage(withPeers) {
  const { build } = await import('esbuild');
  await build({
    entryPoints: [fileURLToPath(new URL('page.js', import.meta.url))],
    outdir: bundle,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'esnext',
    logLevel: 'error',
    absWorkingDir: fileURLToPath(new URL('.', import.meta.url)), // where the alias looks for packages
    // The default entry of the package prefers WebGPU and a larger module for it.
    alias: withPeers ? { 'onnxruntime-web': 'onnxruntime-web/wasm' } : {},
    external: withPeers ? [] : ['onnxruntime-web', '@tensorflow/*', '@litertjs/core', 'flatbuffers'],
  });
}

/** Isolated pages have a clock of 5 µs; others one of 100. */
const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

async function serve() {
  const { default: sirv } = await import('sirv');
  const setHeaders = (/** @type {import('node:http').ServerResponse} */ response) => response.setHeaders(new Map(Object.entries(isolated)));
  const folders = Object.entries({ '/bench/': bundle, '/dist/': path.join(projectRoot, 'dist'), '/peers/': peersFolder }).map(
    ([prefix, folder]) => /** @type {const} */ ([prefix, sirv(folder, { dev: true, setHeaders })]),
  );
  const server = createServer((request, response) => {
    const address = request.url ?? '/';
    if (address === '/') return void response.writeHead(200, { ...isolated, 'content-type': 'text/html' }).end('<!doctype html><html lang="en"><title>bench</title><script type="module" src="/bench/page.js"></script>');
    const missing = () => void response.writeHead(404).end();
    const [prefix, handler] = folders.find(([start]) => address.startsWith(start)) ?? [];
    if (!prefix || !handler) return missing();
    request.url = address.slice(prefix.length - 1);
    handler(request, response, missing);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { server, origin: `http://127.0.0.1:${port}` };
}

/**
 * @param {{ choice: import('./suite/suite.js').Choice, versions: Record<string, string>, notInstalled: string | undefined, log: (line: string) => void }} setting
 * @returns {Promise<{ suite: import('./suite/suite.js').SuiteResult, widget: number[], browser: string }>}
 */
export async function runInChromium({ choice, versions, notInstalled, log }) {
  await bundlePage(notInstalled === undefined);
  const { chromium } = await import('playwright-core');
  const { server, origin } = await serve();
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage();
    page.on('console', (message) => message.text().startsWith('bench: ') && log(message.text().slice(7)));
    await page.goto(origin);
    await page.waitForFunction(() => 'runBenchmark' in globalThis);
    const place = { folder: `${origin}/peers/`, versions, notInstalled };
    const result = await page.evaluate(([wanted, where]) => /** @type {any} */ (globalThis).runBenchmark(wanted, where), /** @type {const} */ ([choice, place]));
    return { ...result, browser: `Chromium ${browser.version()}` };
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}
