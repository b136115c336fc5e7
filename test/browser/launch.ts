import { accessSync, constants } from 'node:fs';
import { chromium, type Browser, type BrowserServer, type LaunchOptions } from 'playwright-core';
import { installPackages } from '../install-packages.ts';

/** Debian's Chromium, installed if it is missing; one elsewhere is named by PLUG_TEST_CHROMIUM. */
export async function launchChromium(args: readonly string[] = []): Promise<Browser> {
  return await chromium.launch(launchOptions(args));
}

/** The same, for several processes that connect to it. */
export async function serveChromium(): Promise<BrowserServer> {
  return await chromium.launchServer(launchOptions());
}

function launchOptions(args: readonly string[] = []): LaunchOptions {
  let executablePath = process.env['PLUG_TEST_CHROMIUM'] ?? found();
  if (executablePath === undefined) {
    installPackages(['chromium'], 'to open the page in it');
    executablePath = found();
  }
  if (executablePath === undefined) throw new Error('Chromium was installed and is nowhere to be found.');
  // Tests may run as root, for whom Chromium has no sandbox; what it loads is ours.
  return { executablePath, args: ['--no-sandbox', ...args] };
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
