import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyedValue, snap, stepFrom } from '../../../web/view/slider-value.js';

test('0.4 to 0.7 by 0.05 has exactly seven values, without tails', () => {
  const scale = { min: 0.4, max: 0.7, step: 0.05 };
  const values = [scale.min];
  while (values[values.length - 1] < scale.max) values.push(stepFrom(values[values.length - 1], 1, scale));
  assert.deepEqual(values, [0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7]);
  const back = [scale.max];
  while (back[back.length - 1] > scale.min) back.push(stepFrom(back[back.length - 1], -1, scale));
  assert.deepEqual(back.reverse(), values);
});

test('0 to 0.94 by 0.01 reaches 0.94', () => {
  assert.equal(snap(0.94, { min: 0, max: 0.94, step: 0.01 }), 0.94);
  assert.equal(stepFrom(0.93, 1, { min: 0, max: 0.94, step: 0.01 }), 0.94);
});

test('a maximum off the grid is the last value', () => {
  const scale = { min: 0, max: 1, step: 0.3 };
  assert.equal(stepFrom(0.9, 1, scale), 1);
  assert.equal(stepFrom(1, -1, scale), 0.9);
  assert.equal(snap(0.97, scale), 1);
  assert.equal(snap(0.93, scale), 0.9);
});

test('a typed value off the grid moves to the next grid value', () => {
  const scale = { min: -3, max: 3, step: 0.05 };
  assert.equal(stepFrom(1.234, 1, scale), 1.25);
  assert.equal(stepFrom(1.234, -1, scale), 1.2);
});

test('the middle is 0, not -0', () => {
  assert.ok(Object.is(snap(-0.01, { min: -3, max: 3, step: 0.05 }), 0));
});

test('keys: up raises everywhere; left and right follow the direction of reading', () => {
  const scale = { min: -3, max: 3, step: 0.05 };
  assert.equal(keyedValue('ArrowUp', 0, scale, true), 0.05);
  assert.equal(keyedValue('ArrowRight', 0, scale, false), 0.05);
  assert.equal(keyedValue('ArrowRight', 0, scale, true), -0.05);
  assert.equal(keyedValue('ArrowLeft', 0, scale, true), 0.05);
  assert.equal(keyedValue('PageDown', 0, scale, false), -0.5);
  assert.equal(keyedValue('Home', 0, scale, false), -3);
  assert.equal(keyedValue('End', 0, scale, true), 3);
  assert.equal(keyedValue('a', 0, scale, false), null);
});
