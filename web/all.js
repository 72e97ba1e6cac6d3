// Elements and engine together: the entry of the single-file builds.
export * from './index.js';
export * from './elements.js';
