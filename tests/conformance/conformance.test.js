// Cases of other projects on every build of the engine, and in float64 on its reference.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { engines } from '../node/support/engines.js';
import { assertStillRight } from '../node/support/refuses.js';
import { callsOf } from './adapter/adapter.js';
import { compounds } from './adapter/compound.js';
import { cases } from './cases.js';
import { float32, float64, requireClose } from './close.js';

/** @typedef {import('./adapter/adapter.js').Call} Call */

const counts = JSON.parse(readFileSync(new URL('./counts.json', import.meta.url), 'utf8'));

/** @param {any} owner of the method @param {Call} call */
function run(owner, { method, inputs, options }) {
  assert.equal(typeof owner[method], 'function', `the engine has no method ${method}`);
  return method in compounds ? compounds[method](owner, inputs, options) : owner[method](...Object.values(inputs), options);
}

/** @param {any} owner @param {Call} call @param {import('./close.js').Tolerance} tolerance */
function check(owner, call, tolerance) {
  const result = run(owner, call);
  for (const [name, wanted] of Object.entries(call.expected)) {
    const got = name === 'itself' ? result : result[name];
    assert.ok(got, `${call.method}: no ${name}`);
    requireClose(`${call.method}: ${name}`, got, wanted, tolerance);
  }
}

/** The calls of a case, none of whose outputs may be left out. @param {Parameters<typeof callsOf>[0]} given @param {Parameters<typeof callsOf>[1]} outputs */
function allCallsOf(given, outputs) {
  const left = new Set(Object.keys(outputs));
  const calls = callsOf(given, new Proxy(outputs, { get: (target, name) => (left.delete(String(name)), target[String(name)]) }));
  assert.deepEqual([...left], [], 'outputs that no call is held against');
  return calls;
}

for (const { variant, engine } of engines) {
  /** @type {Record<'engine' | 'reference', Record<string, number>>} */
  const passed = { engine: {}, reference: {} };
  const count = (/** @type {'engine' | 'reference'} */ what, /** @type {string} */ op) => (passed[what][op] = (passed[what][op] ?? 0) + 1);

  describe(`conformance (${variant})`, () => {
    for (const given of cases) {
      test(`${given.op} ${given.name}`, () => {
        if (given.expectError) {
          assert.throws(() => callsOf(given, {}).forEach((call) => run(engine, call)), (error) => error instanceof TypeError || error instanceof RangeError);
          assertStillRight(engine);
        } else {
          const calls = allCallsOf(given, given.outputs);
          assert.ok(calls.some(({ expected }) => Object.keys(expected).length > 0), 'nothing to compare');
          for (const call of calls) check(engine, call, given.wide ? float32 : given.tolerance);
        }
        count('engine', given.op);
      });
      const exact = given.expectError ? [] : callsOf(given, given.outputs64).filter(({ method }) => method in engine.reference);
      if (exact.length === 0) continue;
      test(`${given.op} ${given.name}, in float64`, () => {
        for (const call of exact) check(engine.reference, call, given.wide ? given.tolerance : float64);
        count('reference', given.op);
      });
    }
    test('as many as ever', (t) => {
      for (const [what, ops] of Object.entries(passed)) t.diagnostic(`${variant}, ${what}: ${Object.entries(ops).map(([op, number]) => `${op} ${number}`).join(', ')}`);
      assert.deepEqual(passed, counts);
    });
  });
}
