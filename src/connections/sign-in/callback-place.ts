import type { Ids } from '../../base/ids.ts';
import type { OAuthClient } from './sign-in.ts';

/** Where the browser comes back to on this machine. */
export interface CallbackPlace {
  /** 0 takes any free one. */
  readonly port: number;
  readonly path: string;
  /** True when somebody had to know it beforehand, so that others can guess it. */
  readonly known: boolean;
}

/** Below the ports that systems hand out by themselves, so that it is seldom taken by accident. */
const CALLBACK_PORT = 17_584;
const CALLBACK_PATH = '/callback';

/**
 * A program that was registered by hand has one redirect address, to the letter: many authorization
 * servers compare the port too, although RFC 8252 §7.3 says that they must not. A published document
 * cannot know the port, but it names the path. A registration that we make for this one sign-in can
 * have an address that nobody guesses.
 */
export function callbackPlaceOf(
  client: OAuthClient | 'register',
  { port, ids }: { readonly port: number | undefined; readonly ids: Ids },
): CallbackPlace {
  if (client === 'register') {
    if (port === undefined) return { port: 0, path: `/${ids.next('callback')}`, known: false };
    return { port, path: CALLBACK_PATH, known: true };
  }
  const fallback = client.kind === 'manual' ? CALLBACK_PORT : 0;
  return { port: client.callbackPort ?? port ?? fallback, path: CALLBACK_PATH, known: true };
}

/** What has to be registered by hand. */
export function redirectUriAt(port: number | undefined): string {
  return `http://127.0.0.1:${port ?? CALLBACK_PORT}${CALLBACK_PATH}`;
}
