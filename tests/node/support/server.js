import { createServer } from 'node:http';

/**
 * A server on this machine that answers as `answer(path)` says and counts what it was asked.
 * @param {(path: string | undefined, asked: number) => { status?: number, type?: string, body: string | Uint8Array }} answer
 */
export async function serve(answer) {
  /** @type {(string | undefined)[]} */
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(request.url);
    const { status = 200, type = 'application/wasm', body } = answer(request.url, requests.length);
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, requests, close: () => new Promise((resolve) => server.close(resolve)) };
}
