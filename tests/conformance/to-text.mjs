// The calls of all cases as text for the native runner (tests/cpp/conformance): `node to-text.mjs FILE`.
// A line is a word that says what it is, a name, and what belongs to it:
//   case NAME OP (engine | reference) RTOL ATOL (succeeds | refused)   the calls that follow are its own
//   call METHOD                               what follows is its own
//   input | option | expect NAME RANK SIZES… VALUES…     numbers and flags are of rank 0
//   choice NAME WORD                          an option that is a word
//   count (engine | reference) OP NUMBER      how many cases have to pass
import { readFileSync, writeFileSync } from 'node:fs';
import { callsOf } from './adapter/adapter.js';
import { cases } from './cases.js';
import { float32, float64 } from './close.js';

/** @typedef {import('./adapter/tensors.js').Values} Values */

/** @param {number} value */
const number = (value) => (Object.is(value, -0) ? '-0' : String(value).replace('Infinity', 'inf').replace('NaN', 'nan'));

/** @param {string} kind @param {string} name @param {{ shape: readonly number[], data: Iterable<number> }} tensor */
const tensor = (kind, name, { shape, data }) => [kind, name, shape.length, ...shape, ...Array.from(data, number)].join(' ');

/** An option, those of a record as `record.name`, of a function what it means. @param {string} name @param {any} value @returns {string[]} */
function option(name, value) {
  if (value === undefined) return [];
  if (typeof value === 'string') return [`choice ${name} ${value}`];
  if (typeof value === 'function') return option(name, value.meaning);
  if (typeof value !== 'object') return [tensor('option', name, { shape: [], data: [Number(value)] })];
  if (Array.isArray(value)) return [tensor('option', name, { shape: [value.length], data: value })];
  if ('data' in value) return [tensor('option', name, value)];
  return Object.entries(value).flatMap(([key, item]) => option(`${name}.${key}`, item));
}

/** @param {import('./adapter/adapter.js').Call} call */
const lines = ({ method, inputs, options, expected }) => [
  `call ${method}`,
  ...Object.entries(inputs).map(([name, value]) => tensor('input', name, value)),
  ...Object.entries(options).flatMap(([name, value]) => option(name, value)),
  ...Object.entries(expected).map(([name, value]) => tensor('expect', name, value)),
];

/** @param {import('./cases.js').Case} given @param {'engine' | 'reference'} kind */
function block(given, kind) {
  const { rtol, atol } = given.expectError ? float32 : kind === 'engine' ? (given.wide ? float32 : given.tolerance) : given.wide ? given.tolerance : float64;
  const calls = callsOf(given, kind === 'engine' ? given.outputs : given.outputs64);
  return [`case ${given.name} ${given.op} ${kind} ${rtol} ${atol} ${given.expectError ? 'refused' : 'succeeds'}`, ...calls.flatMap(lines)];
}

const counts = JSON.parse(readFileSync(new URL('./counts.json', import.meta.url), 'utf8'));
const text = [
  ...cases.flatMap((given) => [...block(given, 'engine'), ...(given.expectError ? [] : block(given, 'reference'))]),
  ...Object.entries(counts).flatMap(([kind, ops]) => Object.entries(ops).map(([op, count]) => `count ${kind} ${op} ${count}`)),
];
writeFileSync(process.argv[2], `${text.join('\n')}\n`);
