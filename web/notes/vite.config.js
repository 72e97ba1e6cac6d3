import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { classicEmbed, notePages } from './build/plugin.js';

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [notePages(), classicEmbed()],
  server: { fs: { allow: [here('../..')] } },
  build: {
    outDir: here('../../build/note'),
    emptyOutDir: true,
    target: 'es2020',
    // Inlined assets would be data: URLs, which the content policy allows for pictures only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { index: here('index.html'), gallery: here('gallery.html'), embed: here('embed.html') } },
  },
});
