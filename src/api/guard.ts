import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { Refusal } from './answer.ts';

/**
 * How a request came in. On the unix socket the file's mode is the authentication: whoever can
 * open it is the user. On the loopback port every web page and every local user can knock.
 */
export type Via = 'socket' | 'port';

export interface GuardOptions {
  readonly port: () => number | undefined;
  /** Compares in constant time. */
  readonly isToken: (given: string) => boolean;
  /** Whom everybody acts for who is let in: the owner, while a hub has one. */
  readonly principal?: string;
  readonly clock: Clock;
}

/** What the guard looks at of a request, whatever carries it. */
export interface Knock {
  /** By its name in lower case; undefined when it was not sent, and never when it was sent empty. */
  readonly header: (name: string) => string | undefined;
  /** Without the query. */
  readonly path: string;
  /** What it came in on, where requests follow each other on one. */
  readonly connection?: object;
}

/**
 * Answers for whom the request may act, or throws a Refusal. Cheap checks first, nothing read from
 * the body.
 */
export type Guard = (knock: Knock, via: Via) => string;

export function createGuard(options: GuardOptions): Guard {
  const { principal = 'local', isToken } = options;
  const admitted = new Admitted(isToken);
  const bad = new BadTokens(options.clock);
  return (knock, via) => {
    if (via === 'socket') {
      refuseAnyOrigin(knock);
      return principal;
    }
    checkHost(knock, options.port());
    if (!isFollowedLink(knock)) checkOrigin(knock);
    if (!isOpen(knock)) checkToken(knock, admitted, bad);
    return principal;
  };
}

/**
 * Whether a header holds the token. A connection that has shown it is known by the very text that it
 * sent then, so that not every request of it is hashed. Comparing that text tells nothing: whoever is
 * on the connection has sent it. The token is the same for as long as a hub lives.
 */
class Admitted {
  readonly #isToken: (given: string) => boolean;
  readonly #shown = new WeakMap<object, string>();

  constructor(isToken: (given: string) => boolean) {
    this.#isToken = isToken;
  }

  has({ header, connection }: Knock): boolean {
    const sent = header('authorization');
    if (sent === undefined) return false;
    if (connection && this.#shown.get(connection) === sent) return true;
    const given = BEARER.exec(sent)?.[1];
    if (given === undefined || !this.#isToken(given)) return false;
    if (connection) this.#shown.set(connection, sent);
    return true;
  }
}

/** Health tells nothing, and the link to an approval carries a key of its own. */
function isOpen({ path }: Knock): boolean {
  return path === '/health' || path.startsWith(APPROVAL);
}

/** A person may follow the link to an approval from any page. What they answer there comes from ours. */
function isFollowedLink({ path, header }: Knock): boolean {
  const navigates = header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document';
  return path.startsWith(APPROVAL) && navigates && header('origin') === undefined;
}

const APPROVAL = '/approve/';

/** A browser never speaks over the socket, so that whatever names an origin there is not ours. */
function refuseAnyOrigin(knock: Knock): void {
  if (knock.header('origin') !== undefined) throw foreign();
}

/** DNS rebinding arrives with a foreign name in Host, even though the address is ours. */
function checkHost(knock: Knock, port: number | undefined): void {
  const host = knock.header('host')?.toLowerCase();
  if (port !== undefined && host !== undefined && OUR_NAMES.some((name) => host === `${name}:${port}`))
    return;
  throw new Refusal(403, 'denied', 'The Host header does not name this hub.');
}

const OUR_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Same origin or none: a page of another localhost port is as foreign as any other site. */
function checkOrigin(knock: Knock): void {
  const origin = knock.header('origin');
  if (origin !== undefined && origin !== `http://${knock.header('host')?.toLowerCase()}`) throw foreign();
  // A page can send some requests without Origin; the browser then still says where they are from.
  const site = knock.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreign();
}

function foreign(): Refusal {
  return new Refusal(403, 'denied', 'Requests from other web pages are refused.');
}

function checkToken(knock: Knock, admitted: Admitted, bad: BadTokens): void {
  // A right token always passes: otherwise anybody who can guess wrongly could lock the user out.
  if (admitted.has(knock)) return;
  if (bad.tooMany()) {
    throw new Refusal(429, 'rate_limited', 'Too many wrong tokens. Wait a minute.', {
      headers: { 'retry-after': '60' },
    });
  }
  throw new Refusal(401, 'denied', 'This hub needs its token.', {
    next: 'Send “authorization: Bearer …” with the token from the file hub.token in the folder of hub.json.',
    headers: { 'www-authenticate': 'Bearer realm="plugboard"' },
  });
}

const BEARER = /^bearer (\S{1,512})$/i;

/** Counts wrong tokens within the current minute. */
class BadTokens {
  readonly #clock: Clock;
  #windowStart = 0;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  tooMany(): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#windowStart >= 60_000) {
      this.#windowStart = now;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count > limits.apiBadTokensPerMinuteMax;
  }
}
