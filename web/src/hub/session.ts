import { PAGE_HEADER } from '../../../src/api/send.ts';

/**
 * This browser's session with the hub, as far as a script may see it: the cookie is the browser's own
 * matter, the key is kept for this origin alone. The hub wants both.
 */
export interface Session {
  /** What every request sends beside the cookie. */
  headers(): Readonly<Record<string, string>>;
}

/**
 * Comes in with the link in the address, if there is one; else goes on with the session from before.
 * Whether the hub still knows that one shows with the first request: it answers 401 when it does not.
 */
export function openSession(): Promise<Session | 'none'> {
  return (opening ??= open());
}

/** A link works once: whoever asks again gets what came of it. */
let opening: Promise<Session | 'none'> | undefined;

/** Forgets the session here, after the hub has said that it has ended. */
export function forgetSession(): void {
  localStorage.removeItem(KEY);
}

const KEY = 'plug.page';
const TOKEN = '#open=';

async function open(): Promise<Session | 'none'> {
  // A link that is followed while the page is open changes only the end of the address.
  window.addEventListener('hashchange', () => {
    if (hasToken()) window.location.reload();
  });
  if (hasToken()) await exchange(takeToken());
  return localStorage.getItem(KEY) === null ? 'none' : { headers };
}

/** Read anew for each request: another tab may have come in with a newer link. */
function headers(): Readonly<Record<string, string>> {
  const key = localStorage.getItem(KEY);
  return key === null ? {} : { [PAGE_HEADER]: key };
}

/** The token leaves the address, and with it the history, before anything else is done with it. */
function takeToken(): string {
  const { hash, pathname, search } = window.location;
  window.history.replaceState(null, '', `${pathname}${search}`);
  return hash.slice(TOKEN.length);
}

function hasToken(): boolean {
  return window.location.hash.startsWith(TOKEN);
}

/** A link that is used up takes no session away that is there already. */
async function exchange(token: string): Promise<void> {
  const response = await fetch('/open', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers() },
    body: JSON.stringify({ token }),
  });
  if (!response.ok) return;
  const { key } = (await response.json()) as { readonly key: string }; // the hub's own answer
  localStorage.setItem(KEY, key);
}
