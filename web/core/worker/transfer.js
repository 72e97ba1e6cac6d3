/** What is to change hands with these arrays, not to be copied once more. @param {ArrayBufferView[]} arrays */
export const transferOf = (arrays) => arrays.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []));
