// The types of what is measured. The folder is a package of its own, so the project's name means nothing in it.

/** @typedef {import('../../../dist/types/index.js').Engine} Engine */
/** @typedef {import('../../../dist/types/index.js').Report} Report */
/** @typedef {typeof import('../../../dist/types/index.js').loadEngine} LoadEngine */

export {};
