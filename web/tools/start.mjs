// `npm start`: sets up what is missing, builds the core and the note, and serves the note.
import { reportProblems, setup } from '../../cpp/toolchain/setup.mjs';
import { SetupError } from '../../cpp/toolchain/run.mjs';
import { buildNote, noteFolder } from './note.mjs';

const firstPort = 5173;
const portsToTry = 50;

/** PORT exactly, or the first free one from the usual port on. @param {(port: number) => Promise<{ url: string }>} listen */
async function onFreePort(listen) {
  const fixed = process.env.PORT ? Number(process.env.PORT) : undefined;
  if (fixed !== undefined && !(Number.isInteger(fixed) && fixed >= 0 && fixed < 2 ** 16)) throw new SetupError(`PORT: expected a number from 0 to 65535, got "${process.env.PORT}".`);
  for (let port = fixed ?? firstPort; ; ++port) {
    try {
      return await listen(port);
    } catch (problem) {
      if (/** @type {NodeJS.ErrnoException} */ (problem).code !== 'EADDRINUSE') throw problem;
      if (fixed !== undefined) throw new SetupError(`Port ${fixed} is in use: set PORT to another one, or leave it out.`);
      if (port === firstPort + portsToTry) throw new SetupError(`Ports ${firstPort} to ${port} are all in use: set PORT to a free one.`);
    }
  }
}

await reportProblems(async () => {
  setup();
  await buildNote();
  const { serve } = await import('./serve.mjs');
  const { contentPolicy } = await import('../notes/build/plugin.js');
  const headers = { 'content-security-policy': contentPolicy, 'x-content-type-options': 'nosniff' };
  const { url } = await onFreePort((port) => serve(noteFolder, { port, host: process.env.HOST, headers }));
  console.log(`\nThe note is at ${url} (stop with Ctrl+C)`);
});
