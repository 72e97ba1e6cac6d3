// Where things are kept.
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolchainKey } from './versions.mjs';

export const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const buildRoot = path.join(projectRoot, 'build');

/** With CI=true inside the checkout, so that a run there proves the install steps; else shared by all clones of a user. */
export const toolchainFolder =
  process.env.CI === 'true'
    ? path.join(projectRoot, '.toolchain', toolchainKey)
    : path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'attn-widgets', toolchainKey);
