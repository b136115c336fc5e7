import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { checkSignInAddress } from '../sign-in/secure-address.ts';

export interface BrowserOptions {
  readonly platform: NodeJS.Platform;
  /** The user's own environment: a browser needs the desktop that it names. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** Every user of the machine can read the address: one that holds a key is opened from a file instead. */
export async function openBrowser(address: string, options: BrowserOptions): Promise<boolean> {
  const { href } = checkSignInAddress(address, 'a sign-in page', 'This server');
  return launchBrowser(href, options);
}

/** Never through a shell. The address must be one of our own making. */
export async function launchBrowser(href: string, options: BrowserOptions): Promise<boolean> {
  const { platform, env, clock } = options;
  const [command, ...args] = OPENERS[platform] ?? UNIX;
  const child = spawn(command, [...args, href], {
    env: { ...env },
    shell: false,
    stdio: 'ignore',
    detached: platform !== 'win32',
    windowsHide: true,
  });
  // The browser may outlive us: we only look whether it starts.
  child.unref();
  const enough = new AbortController();
  const ended = once(child, 'exit', { signal: enough.signal }).then(
    ([code]) => code === 0,
    () => false,
  );
  const lives = clock.sleep(limits.browserLaunchMs, enough.signal).then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, lives]);
  } finally {
    child.on('error', () => undefined);
    enough.abort();
  }
}

const UNIX = ['xdg-open'] as const;
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
