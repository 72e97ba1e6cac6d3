import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program of its own, which has to end by itself; `workers` are those that it has started. @param {string} text @param {string} [before] what comes before the library */
export const program = async (text, before = '') => {
  const start = `
    const threads = process.getBuiltinModule('worker_threads');
    const workers = [];
    let ended = 0;
    let [posted, returned] = [0, 0];
    const Real = threads.Worker;
    const count = (answer) => (answer?.outputs ?? []).forEach(({ buffer, byteLength }) => { if (buffer instanceof ArrayBuffer) returned += byteLength; });
    class Watched extends Real {
      constructor(...args) { super(...args); workers.push(this); this.on('exit', () => ended++); this.on('message', count); }
      postMessage(message, transfer) {
        for (const { bytes } of message.inputs ?? []) if (bytes.buffer instanceof ArrayBuffer) posted += bytes.byteLength;
        super.postMessage(message, transfer);
      }
    }
    const { getBuiltinModule } = process;
    process.getBuiltinModule = (name) => (name === 'worker_threads' ? { ...threads, Worker: Watched } : getBuiltinModule(name));
    ${before}
    const { loadEngine } = await import('attn-widgets');
    const tensor = (...shape) => ({ data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(i * i)), shape });
    /** The result of a call once there are that many threads: they start while others compute. */
    const onAll = async (threads, call) => {
      for (let i = 0; ; i++) {
        const result = await call();
        if (result.report.threads === threads || i === 100) return result;
      }
    };
    const same = (one, other) => Buffer.from(one.output.data.buffer).equals(Buffer.from(other.output.data.buffer));
  `;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', start + text], { cwd: new URL('../../..', import.meta.url), timeout: 60000 });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
};
