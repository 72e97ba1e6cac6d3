import { inflateSync } from 'fflate'; // the browser's own DecompressionStream is younger than the browsers this package runs in

/** @typedef {{ size: number, packed: string }} Packed a file as the build writes it into a module: deflated, in base64 */

/** @param {Packed} file */
export function unpack({ size, packed }) {
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i); // runs once and cold: a callback for each takes ten times as long
  return inflateSync(bytes, { out: new Uint8Array(size) });
}
