// `npm run docs`: writes the API reference, web/docs/api.md, from the comments of the sources.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installNodeModules } from '../../cpp/toolchain/node-modules.mjs';
import { projectRoot } from '../../cpp/toolchain/paths.mjs';

export const apiFile = path.join(projectRoot, 'web/docs/api.md');

/** What the file should hold. @returns {Promise<string>} */
export async function apiReference() {
  const { readDeclarations } = await import('./docs/declarations.mjs'); // only now: it imports TypeScript
  const { apiPage } = await import('./docs/api-page.mjs');
  return apiPage(readDeclarations());
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  installNodeModules();
  writeFileSync(apiFile, await apiReference());
  console.log(`docs: ${path.relative(projectRoot, apiFile)}`);
}
