import assert from 'node:assert/strict';

/** Same names, shapes and bits; same report. @param {any} got @param {any} wanted */
export function assertSame(got, wanted) {
  assert.deepEqual(got.report, wanted.report);
  assertSameTensors(got, wanted);
}

/** The same computed on several threads, which need more memory together. @param {any} got @param {any} wanted */
export function assertSameOnThreads(got, wanted) {
  const { threads, workingBytes, ...report } = got.report;
  assert.deepEqual({ ...report, workingBytes: workingBytes / threads, threads: 1 }, wanted.report);
  assertSameTensors(got, wanted);
}

/** @param {any} got @param {any} wanted */
function assertSameTensors(got, wanted) {
  const { report: _, ...tensors } = got;
  assert.deepEqual(Object.keys(got), Object.keys(wanted));
  for (const [name, { data, shape }] of Object.entries(tensors)) {
    assert.deepEqual(shape, wanted[name].shape, name);
    assert.ok(data.buffer instanceof ArrayBuffer, `${name} lies in shared memory`);
    assert.ok(Buffer.from(data.buffer, data.byteOffset, data.byteLength).equals(Buffer.from(wanted[name].data.buffer)), `${name} has other bits`);
  }
}
