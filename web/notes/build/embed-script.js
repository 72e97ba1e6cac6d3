import { build } from 'vite';

/**
 * Bundles a page's script into one classic script.
 * @param {string} entry
 * @returns {Promise<string>}
 */
export async function buildEmbedScript(entry) {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2020',
      lib: { entry, formats: ['iife'], name: 'AttnEmbed' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [bundle] = [result].flat();
  if (!('output' in bundle) || bundle.output.length !== 1) throw new Error('The embed script is expected to be one file.');
  return bundle.output[0].code;
}
