// A module that has all exports of another one, by name and kind, and does nothing.

/** @param {number} id @param {number[]} content */
const section = (id, content) => [id, ...leb(content.length), ...content];

/** @param {number} value */
function leb(value) {
  const bytes = [];
  for (; value >= 0x80; value >>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

const kinds = { function: 0, table: 1, memory: 2 };

/** @param {WebAssembly.Module} module */
export function lookalikeOf(module) {
  const exported = WebAssembly.Module.exports(module).map(({ name, kind }) => {
    const text = [...new TextEncoder().encode(name)];
    return [...leb(text.length), ...text, kinds[/** @type {keyof typeof kinds} */ (kind)], 0];
  });
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 0, 0]), // one type: nothing to nothing
    ...section(3, [1, 0]), // one function of it
    ...section(4, [1, 0x70, 0, 10]), // a table of ten functions
    ...section(5, [1, 0, 1]), // a memory of a page
    ...section(7, [...leb(exported.length), ...exported.flat()]),
    ...section(10, [1, 2, 0, 0x0b]), // its body: the end
  ]);
}
