// Rules that find mistakes; types are TypeScript's to check.
import js from '@eslint/js';
import globals from 'globals';

const noMarkupFromData = ['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map((property) => ({
  property,
  message: 'Markup is made by templates; data goes in as text.',
}));

export default [
  { ignores: ['build/', 'dist/', 'node_modules/', '.toolchain/'] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'array-callback-return': 'error',
      'default-case-last': 'error',
      eqeqeq: 'error',
      'max-lines': ['error', 300],
      'no-constant-binary-expression': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-self-compare': 'error',
      'no-shadow': ['error', { builtinGlobals: false }],
      'no-throw-literal': 'error',
      'no-unmodified-loop-condition': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-promise-reject-errors': 'error',
    },
  },
  // The engine runs in pages, workers and Node alike: no DOM, no Node. (A worker is started only where there is such a class.)
  { files: ['web/index.js', 'web/core/**/*.js'], languageOptions: { globals: { ...globals['shared-node-browser'], WebAssembly: 'readonly', Worker: 'readonly' } } },
  {
    files: ['web/all.js', 'web/elements.js', 'web/elements/**/*.js', 'web/view/**/*.js', 'web/locales/**/*.js', 'web/notes/**/*.js'],
    languageOptions: { globals: globals.browser },
    rules: { 'no-restricted-properties': ['error', ...noMarkupFromData] },
  },
  {
    files: ['web/tools/**/*.mjs', 'web/notes/build/**/*.js', 'web/notes/vite.config.js', 'cpp/toolchain/**/*.mjs', 'tests/**/*.{js,mjs}', 'eslint.config.js'],
    languageOptions: { globals: globals.node },
  },
  // Functions passed to a browser are written in the test but run in the page.
  { files: ['tests/browser/**/*.js', 'tests/embedding/**/*.js', 'tests/bench/page.js', 'web/tools/screenshot.mjs'], languageOptions: { globals: { ...globals.browser, ...globals.node } } },
];
