// An application that bundles the package: what it imports is there, what it does not import is not.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { bundlers } from './support/bundlers.js';
import { installPackage, runModule } from './support/installed.js';

const { folder } = installPackage();

/** Programs: the elements that each defines, and others that it must not carry. @type {Record<string, { program: string, defines: string[], without: string[] }>} */
const programs = {
  'one-element': { program: "import 'attn-widgets/elements/two-key';", defines: ['attn-two-key'], without: ['attn-mask'] },
  'its-class': { program: "import { AttnMask } from 'attn-widgets/elements/mask'; globalThis.used = AttnMask.tag;", defines: ['attn-mask'], without: ['attn-two-key'] },
  'all-elements': { program: "import 'attn-widgets/elements';", defines: ['attn-mask', 'attn-two-key'], without: [] },
  engine: { program: "import { loadEngine } from 'attn-widgets'; globalThis.used = loadEngine;", defines: [], without: ['attn-mask', 'attn-two-key'] },
};

for (const [bundler, bundle] of Object.entries(bundlers)) {
  describe(bundler, () => {
    for (const [name, { program, defines, without }] of Object.entries(programs)) {
      test(`B05: ${bundler} bundles ${name} without a warning`, async () => {
        const entry = path.join(folder, `${name}.js`);
        writeFileSync(entry, program);
        const outDir = path.join(folder, `${bundler}-${name}`);
        assert.deepEqual(await bundle(entry, outDir), []);

        const run = `const defined = []; globalThis.self = globalThis;
          globalThis.customElements = { get: () => undefined, define: (tag) => defined.push(tag) };
          await import('./${bundler}-${name}/${name}.mjs'); console.log(defined.sort().join());`;
        assert.equal(runModule(folder, run).trim(), defines.join());

        const text = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((file) => /js$/.test(file)).map((file) => readFileSync(path.join(outDir, file), 'utf8')).join('\n');
        for (const tag of without) assert.doesNotMatch(text, new RegExp(`["'\`]${tag}["'\`]`));
      });
    }
  });
}
