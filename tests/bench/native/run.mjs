// Runs the kernels natively under Google Benchmark; options are passed on to it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildPreset, configurePreset } from '../../../cpp/toolchain/build.mjs';
import { buildRoot } from '../../../cpp/toolchain/paths.mjs';
import { SetupError } from '../../../cpp/toolchain/run.mjs';
import { reportProblems } from '../../../cpp/toolchain/setup.mjs';

await reportProblems(() => {
  configurePreset('native');
  if (!readFileSync(path.join(buildRoot, 'native/build.ninja'), 'utf8').includes('attn-benchmark')) {
    throw new SetupError('Please install Google Benchmark (Debian: libbenchmark-dev), and run `node cpp/toolchain/build.mjs native` after `rm -r build/native`.');
  }
  buildPreset('native', ['attn-benchmark']);
  process.exitCode = spawnSync(path.join(buildRoot, 'native/tests/bench/native/attn-benchmark'), process.argv.slice(2), { stdio: 'inherit' }).status ?? 1;
});
