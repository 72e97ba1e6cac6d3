const inNode = typeof document === 'undefined';
const before = inNode ? new Set(Object.getOwnPropertyNames(globalThis)) : null;

if (inNode) {
  Object.assign(globalThis, {
    HTMLElement: globalThis.HTMLElement ?? class {},
    document: { createTreeWalker: () => ({}) },
  });
}

/** Removes every global that appeared since this module ran. Does nothing where there is a DOM. */
export function restoreGlobals() {
  if (!before) return;
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!before.has(name)) Reflect.deleteProperty(globalThis, name);
  }
}
