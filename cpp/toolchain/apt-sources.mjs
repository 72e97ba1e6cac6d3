// Reads the machine's own apt sources, so that further packages come from the mirror it already uses.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** @typedef {{ uri: string, suites: string[], components: string[], signedBy: string[], trusted: boolean }} AptSource */

const words = (/** @type {string | undefined} */ text) => (text ?? '').split(/\s+/).filter(Boolean);
const keyFiles = (/** @type {string | undefined} */ text) => words(text?.replaceAll(',', ' ')).filter((word) => word.startsWith('/'));

/** One-line format: `deb [signed-by=/key.gpg] uri suite component…`. @param {string} text @returns {AptSource[]} */
export function parseList(text) {
  const sources = [];
  for (const line of text.split('\n')) {
    const match = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)/.exec(line);
    if (!match) continue;
    const options = Object.fromEntries(words(match[1]).map((option) => option.split('=', 2)));
    sources.push({
      uri: match[2],
      suites: [match[3]],
      components: words(match[4]),
      signedBy: keyFiles(options['signed-by']),
      trusted: options.trusted === 'yes',
    });
  }
  return sources;
}

/** Stanza format (deb822): `Types:`, `URIs:`, `Suites:` …. @param {string} text @returns {AptSource[]} */
export function parseStanzas(text) {
  const sources = [];
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  for (const stanza of lines.join('\n').split(/\n\s*\n/)) {
    /** @type {Record<string, string>} */
    const fields = {};
    let name = '';
    for (const line of stanza.split('\n')) {
      const match = /^([A-Za-z-]+):(.*)$/.exec(line);
      if (match) fields[(name = match[1].toLowerCase())] = match[2];
      else if (name) fields[name] += ` ${line}`;
    }
    if (!words(fields.types).includes('deb') || fields.enabled?.trim() === 'no') continue;
    for (const uri of words(fields.uris)) {
      sources.push({
        uri,
        suites: words(fields.suites),
        components: words(fields.components),
        signedBy: keyFiles(fields['signed-by']),
        trusted: fields.trusted?.trim() === 'yes',
      });
    }
  }
  return sources;
}

/** The source that serves the release itself (not its security updates). @param {AptSource[]} sources @param {string} codename */
export function releaseSource(sources, codename) {
  return sources.find((source) => source.components.includes('main') && (source.suites.includes(codename) || source.suites.includes('stable')) && !source.uri.includes('security'));
}

/** @param {string} codename @param {string} [etc] */
export function readReleaseSource(codename, etc = '/etc/apt') {
  const parts = path.join(etc, 'sources.list.d');
  const files = [path.join(etc, 'sources.list'), ...(existsSync(parts) ? readdirSync(parts).sort().map((name) => path.join(parts, name)) : [])];
  const sources = files
    .filter((file) => existsSync(file))
    .flatMap((file) => (file.endsWith('.list') ? parseList : file.endsWith('.sources') ? parseStanzas : () => [])(readFileSync(file, 'utf8')));
  return releaseSource(sources, codename);
}
