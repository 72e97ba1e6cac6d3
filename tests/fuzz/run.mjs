// `node tests/fuzz/run.mjs [seconds [seed]]`: builds the fuzz target and lets it look for a call that goes wrong, 20 seconds long.
// It starts from tests/fuzz/corpus; what it finds besides goes to build/asan/tests/fuzz, also the input of a failure.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { buildPreset } from '../../cpp/toolchain/build.mjs';
import { buildRoot, projectRoot } from '../../cpp/toolchain/paths.mjs';
import { SetupError } from '../../cpp/toolchain/run.mjs';
import { reportProblems } from '../../cpp/toolchain/setup.mjs';

await reportProblems(() => {
  const [seconds = '20', seed = '1'] = process.argv.slice(2);
  buildPreset('asan', ['attention-fuzz']);
  const folder = path.join(buildRoot, 'asan/tests/fuzz');
  const found = path.join(folder, 'corpus');
  mkdirSync(found, { recursive: true });
  // The same seed always: what a commit is told must not depend on luck. Another one looks elsewhere.
  const options = [`-seed=${seed}`, `-max_total_time=${seconds}`, '-max_len=256', '-len_control=0', '-print_final_stats=1', `-artifact_prefix=${folder}/`];
  const { status, stderr } = spawnSync(path.join(folder, 'attention-fuzz'), [...options, found, path.join(projectRoot, 'tests/fuzz/corpus')], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const report = String(stderr).split('\n').filter((line) => !/^#\d+\s+(?:NEW|REDUCE|pulse|RELOAD)|^INFO:|^"|^######/.test(line));
  console.log(report.join('\n').trim());
  if (status !== 0) throw new SetupError(`fuzz: the input of the failure is in ${path.relative(projectRoot, folder)}; \`attention-fuzz FILE\` repeats it.`);
});
