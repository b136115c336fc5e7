import { pathToFileURL } from 'node:url';
import { systemClock } from '../base/clock.ts';
import { launchBrowser, openBrowser } from '../connections/processes/open-browser.ts';

export interface OpenAddressOptions {
  /** The user's: the hub may have been started without a desktop. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

export async function openAddress(address: string, options: OpenAddressOptions): Promise<boolean> {
  return hasDesktop(options) && (await openBrowser(address, { ...options, clock: systemClock }));
}

export async function openFile(file: string, options: OpenAddressOptions): Promise<boolean> {
  const { href } = pathToFileURL(file);
  return hasDesktop(options) && (await launchBrowser(href, { ...options, clock: systemClock }));
}

export function hasDesktop({ env, platform }: OpenAddressOptions): boolean {
  return platform === 'darwin' || platform === 'win32' || DESKTOP.some((name) => env[name]);
}

/** Without one of these, xdg-open may start a text browser in the terminal. */
const DESKTOP = ['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER'] as const;
