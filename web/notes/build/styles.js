import { palette } from '../../view/theme.css.js';
import { loadLanguages } from './languages.js';

/**
 * The rules of the style sheets that depend on other files, by the sheet's name.
 * @type {Record<string, (root: string) => string>}
 */
export const generatedRules = {
  'styles/languages.css': (root) => {
    const rules = loadLanguages(root).map(({ tag }) => `:root[lang='${tag}'] [data-lang]:not([data-lang='${tag}']) { display: none; }`);
    // Without scripts nobody can switch, so every language stays readable.
    return `${rules.join('\n')}\n@media (scripting: none) { [data-lang] { display: revert !important; } }\n`;
  },
  'styles/palette.css': () => {
    const names = /** @type {(keyof typeof palette.light)[]} */ (Object.keys(palette.light));
    return `:root { ${names.map((name) => `--${name}: light-dark(${palette.light[name]}, ${palette.dark[name]});`).join(' ')} }\n`;
  },
};
