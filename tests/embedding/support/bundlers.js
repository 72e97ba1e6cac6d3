// The bundlers people use, each with as little configuration as it takes. A warning counts as a failure.
import path from 'node:path';
import resolve from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import * as vite from 'vite';
import webpack from 'webpack';

/** @type {Record<string, (entry: string, outDir: string) => Promise<unknown[]>>} bundles a module and gives the warnings */
export const bundlers = {
  async esbuild(entry, outDir) {
    const { warnings } = await esbuild.build({ entryPoints: [entry], outdir: outDir, outExtension: { '.js': '.mjs' }, bundle: true, format: 'esm', splitting: true, minify: true, logLevel: 'silent' });
    return warnings;
  },
  async rollup(entry, outDir) {
    /** @type {unknown[]} */
    const warnings = [];
    const bundle = await rollup({ input: entry, plugins: [resolve()], onLog: (_, log) => warnings.push(log) });
    await bundle.write({ dir: outDir, entryFileNames: '[name].mjs' });
    await bundle.close();
    return warnings;
  },
  async vite(entry, outDir) {
    /** @type {unknown[]} */
    const warnings = [];
    const logger = vite.createLogger('silent');
    logger.warn = logger.warnOnce = (message) => warnings.push(message);
    await vite.build({ root: path.dirname(entry), configFile: false, logLevel: 'warn', customLogger: logger, build: { outDir, rolldownOptions: { input: entry, output: { entryFileNames: '[name].mjs' } }, modulePreload: false } });
    return warnings;
  },
  async webpack(entry, outDir) {
    const compiler = webpack({ mode: 'production', context: path.dirname(entry), entry, output: { path: outDir, filename: `${path.parse(entry).name}.mjs`, publicPath: '/' } });
    /** @type {import('webpack').Stats} */
    const stats = await new Promise((done, fail) => compiler.run((problem, result) => (result ? done(result) : fail(problem))));
    await new Promise((done) => compiler.close(done));
    const { errors = [], warnings = [] } = stats.toJson();
    return [...errors, ...warnings];
  },
};
