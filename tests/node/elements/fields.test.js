import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choiceField, flagField, flagsField, numberField, rowsField, textsField, vectorField, wordsField } from '../../../web/elements/fields.js';

const refused = (action, ...parts) => assert.throws(action, (error) => error instanceof TypeError && parts.every((part) => error.message.includes(part)));

test('vectors and rows are read from plain text and from JSON', () => {
  const q = vectorField({ default: [1, 0], width: 2 });
  assert.deepEqual(q.fromText('1, -0.5', 'q'), [1, -0.5]);
  assert.deepEqual(q.fromText('[1,-0.5]', 'q'), [1, -0.5]);
  const keys = rowsField({ default: [], width: 2, min: 1 });
  assert.deepEqual(keys.fromText('1,0; 0,1', 'keys'), [[1, 0], [0, 1]]);
  assert.deepEqual(keys.fromText('[[1,0],[0,1]]', 'keys'), [[1, 0], [0, 1]]);
  assert.equal(keys.toText([[1, 0], [0, 1]]), '1,0; 0,1');
});

test('a bad attribute is named with the position of what is wrong', () => {
  const q = vectorField({ default: [1, 0], width: 2 });
  refused(() => q.fromText("['1',0]", 'q'), 'q', "'1'", 'position 2');
  refused(() => q.fromText('[object Object]', 'q'), 'q', 'object', 'position 2');
  refused(() => q.fromText('[1,0', 'q'), 'q', 'position 5');
  refused(() => q.fromText('1,0,0', 'q'), 'q', '2', '3');
  refused(() => q.fromText('0,5;1', 'q'), 'q', '3');
  refused(() => q.fromValue([1, NaN], 'q'), 'q');
  refused(() => rowsField({ default: [], width: 2 }).fromText('1,0; 0', 'keys'), 'keys', 'row 2');
  refused(() => rowsField({ default: [], width: 2, min: 1 }).fromText('', 'keys'), 'keys', '0');
});

test('what is read is a copy', () => {
  const given = [[1, 0]];
  const read = rowsField({ default: [] }).fromValue(given, 'keys');
  given[0][0] = 9;
  assert.deepEqual(read, [[1, 0]]);
});

test('numbers have bounds', () => {
  const t = numberField({ default: 1, min: 0, max: 4 });
  assert.equal(t.fromText('0.5', 'temperature'), 0.5);
  refused(() => t.fromText('-1', 'temperature'), 'temperature', '0', '4', '-1');
  refused(() => t.fromText('1,5', 'temperature'), 'temperature', '1,5');
  refused(() => t.fromValue(NaN, 'temperature'), 'NaN');
  refused(() => numberField({ default: 1, min: 1, max: 12, integer: true }).fromValue(2.5, 'n'), 'whole', '2.5');
});

test('choices, flags, lists of flags, words and texts', () => {
  refused(() => choiceField({ default: 'a', choices: ['a', 'b'] }).fromText('c', 'kind'), "'a', 'b'", '"c"');
  const causal = flagField({ attribute: 'causal', default: false });
  assert.deepEqual(['', 'true', 'false', 'causal'].map((text) => causal.fromText(text, 'causal')), [true, true, false, true]);
  refused(() => causal.fromValue(1, 'causal'), 'causal', '1');
  const allow = flagsField({ default: null });
  assert.deepEqual(allow.fromText('1,0', 'allow-keys'), [true, false]);
  assert.deepEqual(allow.fromText('[true,false]', 'allow-keys'), [true, false]);
  refused(() => allow.fromValue([1, 0], 'allowKeys'), 'allowKeys', '[1,0]');
  const controls = wordsField({ default: null, choices: ['q', 'toolbar'] });
  assert.deepEqual(controls.fromText('q toolbar', 'controls'), ['q', 'toolbar']);
  assert.deepEqual(controls.fromValue('none', 'controls'), []);
  refused(() => controls.fromText('q zoom', 'controls'), "'none', 'q', 'toolbar'", 'zoom');
  const tokens = textsField({ default: null });
  assert.deepEqual(tokens.fromText('<b,the', 'tokens'), ['<b', 'the']);
  assert.deepEqual(tokens.fromText('["a,b",""]', 'tokens'), ['a,b', '']);
});
