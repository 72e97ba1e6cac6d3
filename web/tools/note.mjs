// Builds the note, the page that explains attention, into build/note.
import path from 'node:path';
import { projectRoot } from '../../cpp/toolchain/paths.mjs';
import { buildCore, sources } from './core.mjs';
import { unlessUpToDate } from './up-to-date.mjs';

export const noteFolder = path.join(projectRoot, 'build/note');

export async function buildNote() {
  await buildCore();
  const files = { inputs: [...sources, 'web/notes'], outputs: ['build/note/index.html', 'build/note/gallery.html', 'build/note/embed.html'] };
  const worked = await unlessUpToDate('note', files, async () => {
    const { build } = await import('vite'); // only now: setup may just have installed it
    await build({ configFile: path.join(projectRoot, 'web/notes/vite.config.js'), logLevel: 'warn' });
  });
  console.log(worked ? 'note: built' : 'note: up to date');
}
