import { systemClock } from '../base/clock.ts';
import { openBrowser } from '../connections/processes/open-browser.ts';

export interface OpenAddressOptions {
  /** The user's own environment: the hub may have been started without a desktop. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Opens an address in the user's browser; false when there is no desktop, so that it is printed. */
export async function openAddress(address: string, options: OpenAddressOptions): Promise<boolean> {
  const { env, platform } = options;
  const desktop = platform === 'darwin' || platform === 'win32' || DESKTOP.some((name) => env[name]);
  return desktop && (await openBrowser(address, { env, platform, clock: systemClock }));
}

/** Without one of these, xdg-open may take the terminal itself for a text browser. */
const DESKTOP = ['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER'] as const;
