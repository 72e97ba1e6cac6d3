// What `npm run bench -- …` understands.
import { SetupError } from '../../cpp/toolchain/run.mjs';
import { chosenCases } from './suite/cases.js';

export const usage = `npm run bench -- [cases] [--quick] [--browser] [--json FILE] [--markdown]

  cases      words of the names of cases, such as full, causal, decode, n=1024, or memory; default: all
  --quick    fewer cases and fewer rounds
  --browser  in headless Chromium in place of Node
  --json     also writes every number to a file
  --markdown prints tables for a README in place of plain ones`;

/** @typedef {{ names: string[], quick: boolean, browser: boolean, markdown: boolean, json: string | undefined }} Options */

/** @param {string[]} words @returns {Options} */
export function parseOptions(words) {
  /** @type {Options} */
  const options = { names: [], quick: false, browser: false, markdown: false, json: undefined };
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === '--quick' || word === '--browser' || word === '--markdown') options[/** @type {'quick' | 'browser' | 'markdown'} */ (word.slice(2))] = true;
    else if (word === '--json') {
      options.json = words[++i];
      if (options.json === undefined) throw new SetupError('--json: expected the name of a file, got nothing.');
    } else if (word.startsWith('--')) throw new SetupError(`Unknown option ${word}.\n\n${usage}`);
    else options.names.push(word);
  }
  try {
    chosenCases(options);
  } catch (problem) {
    throw new SetupError(/** @type {Error} */ (problem).message);
  }
  return options;
}
