// Debian packages: installed on the machine where it must be, else unpacked into a private folder.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readReleaseSource } from './apt-sources.mjs';
import { SetupError, run, say, which } from './run.mjs';
import { debianRelease } from './versions.mjs';

/** @returns {{ codename: string, number: number } | undefined} the Debian release this runs on */
export function debianHost() {
  if (!existsSync('/etc/os-release')) return undefined;
  const fields = Object.fromEntries(readFileSync('/etc/os-release', 'utf8').split('\n').map((line) => line.replaceAll('"', '').split('=', 2)));
  return fields.ID === 'debian' ? { codename: fields.VERSION_CODENAME, number: Number(fields.VERSION_ID ?? Infinity) } : undefined;
}

const isRoot = () => process.getuid?.() === 0;

/** @param {string[]} packages */
export function aptInstall(packages) {
  const command = ['apt-get', '-o', 'DPkg::Lock::Timeout=900', '-y', '-qq'];
  if (!isRoot()) {
    if (!which('sudo')) throw new SetupError(`Please install ${packages.join(', ')}: as root, "apt-get install ${packages.join(' ')}".`);
    command.unshift('sudo');
  }
  /** @type {import('node:child_process').SpawnSyncOptions} */
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: ['inherit', 'pipe', 'pipe'] }; // sudo may ask
  say(`installing ${packages.join(', ')} with apt-get`);
  run([...command, 'update'], options);
  run([...command, '--no-install-recommends', 'install', ...packages], options);
}

/**
 * An apt of our own for one Debian release: own source list, package lists and cache, the machine's mirror, keys and proxies.
 * Nothing outside `folder` is written.
 * @param {string} folder
 * @param {string} codename of the machine's release, to find its mirror
 */
export function privateApt(folder, codename) {
  const source = readReleaseSource(codename);
  if (!source) throw new SetupError(`No apt source for ${codename} main was found in /etc/apt: add Debian's, or install Emscripten yourself and put emcc on the PATH.`);
  if (!existsSync('/usr/share/keyrings/debian-archive-trixie-stable.gpg') && !existsSync('/usr/share/keyrings/debian-archive-keyring.pgp')) {
    aptInstall(['debian-archive-keyring']); // an image older than the release has no keys for it
  }
  const keys = ['/usr/share/keyrings/debian-archive-keyring.gpg', '/usr/share/keyrings/debian-archive-keyring.pgp', ...source.signedBy];
  for (const name of ['lists/partial', 'cache/archives/partial']) mkdirSync(path.join(folder, name), { recursive: true });
  const list = path.join(folder, 'release.sources');
  writeFileSync(
    list,
    [
      'Types: deb deb-src',
      `URIs: ${source.uri}`,
      `Suites: ${debianRelease}`,
      'Components: main',
      `Signed-By: ${[...new Set(keys)].filter((key) => existsSync(key)).join(' ')}`,
      ...(source.trusted ? ['Trusted: yes'] : []),
      '',
    ].join('\n'),
  );
  writeFileSync(path.join(folder, 'status'), '');
  const options = {
    'Dir::Etc::SourceList': list,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::Etc::Preferences': '/dev/null',
    'Dir::Etc::PreferencesParts': '/dev/null',
    'Dir::State::Lists': path.join(folder, 'lists'),
    'Dir::State::Status': path.join(folder, 'status'),
    'Dir::Cache': path.join(folder, 'cache'),
    'Acquire::Languages': 'none',
    ...(isRoot() ? { 'APT::Sandbox::User': 'root' } : {}), // the folder may be closed to apt's own user
  };
  const flags = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const apt = (/** @type {string} */ cwd, /** @type {string[]} */ ...args) => run(['apt-get', '-qq', ...flags, ...args], { cwd });
  const emptyFolder = () => mkdtempSync(path.join(folder, 'files-'));
  apt(folder, 'update');
  return {
    /** @param {string[]} packages @returns {string[]} the package files */
    download(packages) {
      const files = emptyFolder();
      apt(files, 'download', ...packages);
      return readdirSync(files).map((name) => path.join(files, name));
    },
    /** @param {string} name of a source package @returns {string} its original tar file */
    downloadSource(name) {
      const files = emptyFolder();
      apt(files, 'source', '--download-only', name);
      const tar = readdirSync(files).find((file) => file.includes('.orig.tar'));
      if (!tar) throw new SetupError(`apt-get gave no original sources of ${name}.`);
      return path.join(files, tar);
    },
  };
}

/** @param {string} file a package @param {string} folder @param {string[]} [leaveOut] patterns of paths that are not needed */
export function unpack(file, folder, leaveOut = []) {
  const excludes = leaveOut.map((pattern) => `--exclude='${pattern}'`).join(' ');
  run(['bash', '-o', 'pipefail', '-c', `dpkg-deb --fsys-tarfile "$0" | tar -x --no-same-owner -C "$1" --wildcards ${excludes}`, file, folder]);
}
