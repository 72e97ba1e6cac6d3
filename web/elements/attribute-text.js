// Numbers in attributes: "1,0", rows as "1,0; 0,1", or the same as JSON. The decimal sign is always the point.

import { refusal } from '../view/refusal.js';

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`;

/** @param {string} text @param {string} name @returns {number[]} */
export function readVector(text, name) {
  return /** @type {number[]} */ (text.trim().startsWith('[') ? readJson(text, name) : split(text, name, NUMBER).flat().map(Number));
}

/** @param {string} text @param {string} name @returns {number[][]} */
export function readRows(text, name) {
  if (text.trim().startsWith('[')) return /** @type {number[][]} */ (readJson(text, name));
  return split(text, name, NUMBER).map((row) => row.map(Number));
}

/** @param {string} text @param {string} name @returns {boolean[]} */
export function readFlags(text, name) {
  if (text.trim().startsWith('[')) return /** @type {boolean[]} */ (readJson(text, name, 'true|false'));
  return split(text, name, 'true|false|0|1').flat().map((word) => word === 'true' || word === '1');
}

/**
 * A short, safe way to name what came.
 * @param {unknown} value
 */
export function show(value) {
  let text;
  if (typeof value === 'string') text = `"${value}"`;
  else if (typeof value === 'object' && value !== null) text = JSON.stringify(value);
  else text = String(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/**
 * Words between commas or spaces, rows between semicolons.
 * @param {string} text @param {string} name @param {string} word
 */
function split(text, name, word) {
  expectOnly(text, name, String.raw`(?:${word})(?=[\s,;]|$)|[,;]`);
  return text.split(';').map((row) => row.split(/[\s,]+/).filter(Boolean)).filter((row) => row.length > 0);
}

/** @param {string} text @param {string} name @param {string} [word] @returns {unknown} */
function readJson(text, name, word = NUMBER) {
  expectOnly(text, name, String.raw`(?:${word})|[\[\],]`);
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    throw refusal('common.badJson', { name, position: position ? Number(position) + 1 : text.length });
  }
}

/** @param {string} text @param {string} name @param {string} pattern */
function expectOnly(text, name, pattern) {
  const token = new RegExp(String.raw`\s+|${pattern}`, 'y');
  while (token.lastIndex < text.length) {
    const position = token.lastIndex;
    if (!token.test(text)) throw refusal('common.badCharacter', { name, position: position + 1, got: show(/^[^\s,;]+/.exec(text.slice(position))?.[0] ?? '') });
  }
}
