// What the package offers: the source of each entry point.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../cpp/toolchain/paths.mjs';

const web = path.join(projectRoot, 'web');

/** Every folder in web/elements is an element of that name. */
export const elementNames = readdirSync(path.join(web, 'elements'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

/** Entry points with shared chunks, by their name in dist. */
export const entries = {
  index: path.join(web, 'index.js'),
  elements: path.join(web, 'elements.js'),
  ...Object.fromEntries(elementNames.map((name) => [`elements/${name}`, path.join(web, 'elements', name, 'define.js')])),
};

/** Everything in one file: elements and engine. */
export const wholeEntry = path.join(web, 'all.js');
