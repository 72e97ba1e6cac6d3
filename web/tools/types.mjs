// Writes the package's declarations, from the JSDoc comments of the sources.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../cpp/toolchain/paths.mjs';
import { run } from '../../cpp/toolchain/run.mjs';
import { elementNames } from './entries.mjs';

/** Lit is bundled, so nobody has its types; these are the parts that the elements' declarations mention. */
const litTypes = `export class LitElement extends HTMLElement {
  static styles?: CSSResultGroup;
  static readonly observedAttributes: string[];
  readonly updateComplete: Promise<boolean>;
  requestUpdate(name?: PropertyKey, oldValue?: unknown): void;
  connectedCallback(): void;
  disconnectedCallback(): void;
  attributeChangedCallback(name: string, old: string | null, value: string | null): void;
}
export interface ReactiveController {
  hostConnected?(): void;
  hostDisconnected?(): void;
  hostUpdate?(): void;
  hostUpdated?(): void;
}
export interface TemplateResult<Kind extends number = number> {
  readonly ['_$litType$']: Kind;
  readonly strings: TemplateStringsArray;
  readonly values: unknown[];
}
export type SVGTemplateResult = TemplateResult<2>;
export type MathMLTemplateResult = TemplateResult<3>;
export interface CSSResult {
  readonly cssText: string;
}
export type CSSResultOrNative = CSSResult | CSSStyleSheet;
export type CSSResultArray = CSSResultGroup[];
export type CSSResultGroup = CSSResultOrNative | CSSResultArray;
export type PropertyValues = Map<PropertyKey, unknown>;
export const nothing: unique symbol;
export const noChange: unique symbol;
`;

/** "two-key" → "AttnTwoKey". @param {string} name */
const className = (name) => `Attn${name.replace(/(^|-)(.)/g, (_, __, letter) => letter.toUpperCase())}`;

/** @param {string} folder */
export function writeTypes(folder) {
  run(['node', path.join(projectRoot, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.types.json', '--outDir', folder], { cwd: projectRoot });

  const litFile = path.join(folder, 'view/lit.d.ts');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'))) {
    const file = path.join(folder, name);
    const toLit = `./${path.relative(path.dirname(file), litFile).replace(/\.d\.ts$/, '.js')}`;
    const text = readFileSync(file, 'utf8');
    const own = text.replace(/(['"])(lit|lit-html|lit-element|@lit\/reactive-element)(\/[^'"]*)?\1/g, `'${toLit}'`);
    if (own !== text) writeFileSync(file, own);
  }
  writeFileSync(litFile, litTypes);

  for (const name of elementNames) {
    writeFileSync(
      path.join(folder, 'elements', `${name}.d.ts`),
      [
        `import { ${className(name)} } from './${name}/${name}.js';`,
        `export { ${className(name)} };`,
        'declare global {',
        '  interface HTMLElementTagNameMap {',
        `    'attn-${name}': ${className(name)};`,
        '  }',
        '}',
        '',
      ].join('\n'),
    );
  }
  const elements = path.join(folder, 'elements.d.ts');
  writeFileSync(elements, `${elementNames.map((name) => `import './elements/${name}.js';\n`).join('')}${readFileSync(elements, 'utf8')}`);
}
