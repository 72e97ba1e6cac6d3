// A small static server, for `npm start` and for tests.
import { createServer } from 'node:http';
import sirv from 'sirv';

/**
 * @typedef {object} ServeOptions
 * @property {number} [port] 0, the default, takes any free one
 * @property {string} [host]
 * @property {Record<string, string>} [headers] sent with every file
 */

/**
 * @param {string} folder
 * @param {ServeOptions} [options]
 * @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>}
 */
export function serve(folder, { port = 0, host = '127.0.0.1', headers = {} } = {}) {
  const files = sirv(folder, {
    dev: true, // looks at the disk each time, so a rebuild shows
    setHeaders(response) {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    },
  });
  const server = createServer((request, response) =>
    files(request, response, () => {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('Not found\n');
    }),
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address());
      const close = () =>
        new Promise((/** @type {(nothing: void) => void} */ done) => {
          server.close(() => done());
          server.closeAllConnections();
        });
      resolve({ url: `http://localhost:${address.port}/`, port: address.port, close });
    });
  });
}
