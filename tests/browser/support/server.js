// A server on a free port of this machine: the built library under /dist/, the built note under any path,
// axe, and fixture pages that a test writes down as HTML. Every fixture page comes with the strict policy.

import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { after } from 'node:test';
import sirv from 'sirv';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

export const STRICT_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
].join('; ');

/** @typedef {{ body: string | Uint8Array, type?: string, policy?: string | null, isolated?: boolean }} Fixture */

/** @param {string} folder  below the root; must be built */
function files(folder) {
  if (!existsSync(root + folder)) throw new Error(`${folder}: expected the built files, got nothing; run "npm run build" first.`);
  return sirv(root + folder, { etag: true });
}

export class Server {
  /** @type {Map<string, Fixture>} */ #fixtures = new Map();
  /** @type {[prefix: string, handler: ReturnType<typeof sirv>, policy: string | null][]} */ #mounts = [];
  #http = createServer((request, response) => this.#answer(request, response));
  #count = 0;
  origin = '';

  async start() {
    this.mount('/dist/', 'dist');
    this.mount('/axe/', 'node_modules/axe-core');
    await new Promise((resolve) => this.#http.listen(0, '127.0.0.1', () => resolve(undefined)));
    this.origin = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (this.#http.address()).port}`;
    return this;
  }

  stop() {
    this.#http.closeAllConnections();
    return new Promise((resolve) => this.#http.close(resolve));
  }

  /**
   * Serves a built folder under a path.
   * @param {string} prefix  begins and ends with "/"
   * @param {string} folder
   * @param {string | null} [policy]
   */
  mount(prefix, folder, policy = null) {
    if (this.#mounts.some(([present]) => present === prefix)) return;
    this.#mounts.push([prefix, files(folder), policy]);
  }

  /**
   * Serves a text under a path of its own. Returns the path.
   * @param {Fixture} fixture
   * @param {string} [name]  the last part of the path
   */
  add(fixture, name = 'index.html') {
    const path = `/page/${(this.#count += 1)}/${name}`;
    this.#fixtures.set(path, fixture);
    return path;
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  #answer(request, response) {
    const path = new URL(request.url ?? '/', this.origin).pathname;
    const fixture = this.#fixtures.get(path);
    if (fixture) {
      const { body, type = 'text/html; charset=utf-8', policy = STRICT_POLICY, isolated = false } = fixture;
      response.setHeader('content-type', type);
      if (policy) response.setHeader('content-security-policy', policy);
      if (isolated) {
        response.setHeader('cross-origin-opener-policy', 'same-origin');
        response.setHeader('cross-origin-embedder-policy', 'require-corp');
      }
      response.end(body);
      return;
    }
    const missing = () => {
      response.statusCode = 404;
      response.end(`nothing at ${path}`);
    };
    const [prefix, handler, policy] = this.#mounts.find(([start]) => path.startsWith(start)) ?? [];
    if (!prefix || !handler) return missing();
    if (policy) response.setHeader('content-security-policy', policy);
    request.url = (request.url ?? '').slice(prefix.length - 1);
    handler(request, response, missing);
  }
}

/** @type {Promise<Server> | undefined} */
let server;

/** The server of this process. */
export function sharedServer() {
  server ??= new Server().start();
  return server;
}

after(async () => {
  await (await server?.catch(() => undefined))?.stop();
});
