import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { version } from '../../web/version.js';
import { installPackage, projectRoot, runModule } from './support/installed.js';

const { folder, files } = installPackage();

const twoKey = 'attention([[1, 0]], [[1, 0], [0, 1]], [[2, 0], [0, 4]]).output.toNested()';

test('the package holds dist and nothing of the sources', () => {
  const strangers = files.filter((file) => !/^(dist\/|package\.json$|README\.md$|LICENSE$)/.test(file));
  assert.deepEqual(strangers, []);
  for (const file of ['dist/index.js', 'dist/elements.js', 'dist/elements/two-key.js', 'dist/attn-widgets.js', 'dist/attn-widgets.classic.js', 'dist/types/index.d.ts']) {
    assert.ok(files.includes(file), file);
  }
});

test('it says one version everywhere', () => {
  const { version: packed } = JSON.parse(readFileSync(path.join(folder, 'node_modules/attn-widgets/package.json'), 'utf8'));
  assert.equal(packed, JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')).version);
  assert.equal(version, packed);
  const said = runModule(folder, "import { loadEngine } from 'attn-widgets'; console.log((await loadEngine()).info.version);");
  assert.equal(said.trim(), packed);
});

test('the headless engine computes, whatever folder Node was started in', () => {
  for (const cwd of [folder, '/']) {
    const printed = runModule(folder, `import { loadEngine } from 'attn-widgets'; const engine = await loadEngine(); console.log(JSON.stringify(engine.${twoKey}));`, cwd);
    const [[x, y]] = JSON.parse(printed);
    assert.ok(Math.abs(x - 1.3395231) < 1e-6 && Math.abs(y - 1.3209538) < 1e-6, printed);
  }
});

test('it needs neither fetch nor a file system', () => {
  const text = `delete globalThis.fetch; Object.defineProperty(process, 'versions', { value: {} });
    const { loadEngine } = await import('attn-widgets'); console.log((await loadEngine()).info.simd);`;
  assert.equal(runModule(folder, text).trim(), 'true');
});

test('importing the elements in Node changes nothing', () => {
  const text = `const names = () => Object.getOwnPropertyNames(globalThis).sort().join();
    const before = names();
    const all = await import('attn-widgets/elements');
    const { AttnTwoKey } = await import('attn-widgets/elements/two-key');
    const { AttnMask } = await import('attn-widgets/elements/mask');
    const whole = await import('attn-widgets/dist/attn-widgets.js');
    console.log(names() === before, all.AttnTwoKey === AttnTwoKey, all.AttnMask === AttnMask, AttnMask.tag, typeof whole.loadEngine, typeof whole.AttnMask);`;
  assert.equal(runModule(folder, text).trim(), 'true true true attn-mask function function');
});

test('the classic script adds one global and computes', () => {
  const text = `import { readFileSync } from 'node:fs'; import vm from 'node:vm';
    const context = vm.createContext({ console, atob, WebAssembly, setTimeout, TextDecoder });
    const names = () => vm.runInContext('Object.getOwnPropertyNames(globalThis).join()', context).split(',');
    const before = names();
    vm.runInContext(readFileSync('${folder}/node_modules/attn-widgets/dist/attn-widgets.classic.js', 'utf8'), context);
    const engine = await vm.runInContext('AttnWidgets.loadEngine()', context);
    console.log(names().filter((name) => !before.includes(name)).join(), engine.${twoKey}[0][0].toFixed(3));`;
  assert.equal(runModule(folder, text).trim(), 'AttnWidgets 1.340');
});
