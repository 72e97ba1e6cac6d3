// `npm run format`: mends what the linters can mend by themselves.
import path from 'node:path';
import { projectRoot } from '../../cpp/toolchain/paths.mjs';
import { findProgram } from '../../cpp/toolchain/programs.mjs';
import { run } from '../../cpp/toolchain/run.mjs';
import { reportProblems, setup } from '../../cpp/toolchain/setup.mjs';
import { cppFiles } from './lint.mjs';

await reportProblems(() => {
  setup({ forTests: true });
  const options = /** @type {const} */ ({ cwd: projectRoot, stdio: 'inherit' });
  run([String(findProgram('clang-format')), '-i', ...cppFiles()], options);
  run([process.execPath, path.join(projectRoot, 'node_modules/eslint/bin/eslint.js'), '--fix', '.'], options);
});
