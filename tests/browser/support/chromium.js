// Where the machine's Chromium is and how it is started.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The variable that holds the address of a browser that is already there. */
export const ENDPOINT = 'ATTN_TEST_BROWSER';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const MAC = ['/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

// Chromium draws the suggestions under its address bar, which nobody sees here, as web pages of their own: they took more
// time than the tests. It heeds the last list of features alone, so the rest repeats what playwright-core switches off.
const FEATURES_OFF = [
  'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup',
  'AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints',
  'PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning',
];

// Nothing but the page under test may use the network, and a machine without a GPU draws the same.
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${FEATURES_OFF.join(',')}`,
];

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of the machine's Chromium. */
export function findChromium() {
  const { CHROME_PATH: chosen, PATH: path = '' } = process.env;
  if (chosen) {
    if (isProgram(chosen)) return chosen;
    throw new Error(`CHROME_PATH: expected the path of Chromium or Chrome, got "${chosen}", which is not a program.`);
  }
  const folders = path.split(delimiter);
  const found = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...MAC].find(isProgram);
  if (found) return found;
  throw new Error('The browser tests need Chromium: install the package chromium, or set CHROME_PATH to Chrome.');
}

export const launchOptions = () => ({ executablePath: findChromium(), args: FLAGS });
