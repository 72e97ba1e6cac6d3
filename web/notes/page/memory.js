// What this browser remembers of the note. Where storage is refused everything still works, only not next time.

const prefix = 'attn-note.';

/**
 * @param {string} name
 * @returns {string | null}
 */
export function recall(name) {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string | null} value `null` forgets
 */
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, value);
  } catch {
    // Refused or full: the reader loses nothing but the memory.
  }
}
