// `node count.mjs PROGRAM`: counts the instructions of fixed calls under callgrind. Fails where there are more than there
// should be for each multiply-add of four numbers; of those, a call of n queries, n keys and width d has n·n·d / 2.
import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

/** Multiply-adds of vectors in each call, and the most instructions for one: a tenth more than GCC 12's code took. */
const calls = {
  full: { multiplyAdds: (256 * 256 * 64) / 2, most: 5.35 },
  causal: { multiplyAdds: (256 * 256 * 64) / 4, most: 5.8 },
  // One row broadcasts a number for every two multiply-adds. Four panels at once would share it, and read memory worse; four
  // steps at once would have half the loop, and V8 would spill (5.9 instructions of its own in place of 4.8).
  decode: { multiplyAdds: (8 * 1024 * 64) / 2, most: 7.25 },
};

let failed = false;
for (const [name, { multiplyAdds, most }] of Object.entries(calls)) {
  const output = path.join(os.tmpdir(), `callgrind.${process.pid}`);
  const { status, stderr, error } = spawnSync('valgrind', ['--tool=callgrind', '--toggle-collect=measured', `--callgrind-out-file=${output}`, process.argv[2], name], { encoding: 'utf8' });
  const [, counted] = /Collected : (\d+)/.exec(stderr ?? '') ?? [];
  if (status !== 0 || counted === undefined) throw new Error(`${name}: expected a count from valgrind, got ${error?.message ?? stderr}`);
  const each = Number(counted) / multiplyAdds;
  const right = each > 1 && each <= most;
  console.log(`${name}: ${each.toFixed(2)} instructions per multiply-add of vectors, expected at most ${most}`);
  failed ||= !right;
}
if (failed) process.exitCode = 1;
