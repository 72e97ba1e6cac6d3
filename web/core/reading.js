import { isRefusal, refusals } from './errors.js';

/**
 * Reads something of the caller's, which may run the caller's code: the traps of a proxy, a getter, a method that a class
 * has overridden. What that throws becomes the cause of a refusal that names the argument.
 * @template T
 * @param {string} name the argument
 * @param {() => T} read
 * @returns {T}
 */
export function reading(name, read) {
  try {
    return read();
  } catch (problem) {
    if (isRefusal(problem)) throw problem;
    throw isStackOverflow(problem) ? refusals.overflow(name) : refusals.unreadable(name, problem);
  }
}

/** As V8, Safari and Firefox say it. No regular expression: making one takes stack. @param {unknown} problem */
function isStackOverflow(problem) {
  try {
    return problem instanceof Error && (problem.message.includes('call stack') || problem.message.includes('too much recursion'));
  } catch {
    return false; // what is thrown need not be readable
  }
}
