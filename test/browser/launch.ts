import { accessSync, constants } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { installPackages } from '../install-packages.ts';

/** Debian's Chromium, installed if it is missing. */
export async function launchChromium(): Promise<Browser> {
  let executablePath = found();
  if (executablePath === undefined) {
    installPackages(['chromium'], 'to open the page in it');
    executablePath = found();
  }
  if (executablePath === undefined) throw new Error('Chromium was installed and is nowhere to be found.');
  // Tests may run as root, for whom Chromium has no sandbox; what it loads is ours.
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

function found(): string | undefined {
  return PLACES.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
