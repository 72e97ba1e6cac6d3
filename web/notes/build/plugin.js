import { join } from 'node:path';
import { buildEmbedScript } from './embed-script.js';
import { fillPage } from './pages.js';
import { generatedRules } from './styles.js';

/** What the built pages may do: their own files and compiled WebAssembly, nothing else. Pictures for export are blobs. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * Makes the pages of the note from their Markdown, in every language.
 * @returns {import('vite').Plugin}
 */
export function notePages() {
  let root = '';
  let building = false;
  return {
    name: 'note-pages',
    configResolved(config) {
      root = config.root;
      building = config.command === 'build';
    },
    transform: {
      order: 'pre',
      handler(code, id) {
        const [file] = id.split('?');
        const sheet = Object.keys(generatedRules).find((name) => file === join(root, name));
        return sheet ? { code: code + generatedRules[sheet](root), map: null } : undefined;
      },
    },
    transformIndexHtml: {
      order: 'pre',
      handler(html) {
        const page = fillPage(root, html);
        if (!building) return page;
        return page.replace('<meta charset="utf-8">', `<meta charset="utf-8">\n    <meta http-equiv="Content-Security-Policy" content="${contentPolicy}">`);
      },
    },
    handleHotUpdate({ file, server }) {
      if (!/\.(md|json|html)$/.test(file) || !file.startsWith(root)) return undefined;
      server.ws.send({ type: 'full-reload' });
      return [];
    },
  };
}

/**
 * The embed page runs in frames without an origin of their own, where a browser refuses module scripts and
 * any file fetched with CORS from a server that does not answer for it. So its script is a classic one.
 * @returns {import('vite').Plugin}
 */
export function classicEmbed() {
  const entry = './embed/main.js';
  const output = 'embed.js';
  let root = '';
  return {
    name: 'note-classic-embed',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    transformIndexHtml: {
      order: 'pre',
      handler(html, { filename }) {
        if (!filename.endsWith('embed.html')) return html;
        return html.replace(`<script type="module" src="${entry}"></script>`, `<script defer src="./${output}" vite-ignore></script>`);
      },
    },
    generateBundle: {
      order: 'post', // after the pages themselves are in the bundle
      async handler(_, bundle) {
        this.emitFile({ type: 'asset', fileName: output, source: await buildEmbedScript(join(root, entry)) });
        const page = bundle['embed.html'];
        if (page?.type === 'asset') page.source = String(page.source).replaceAll(' crossorigin', '');
      },
    },
  };
}
