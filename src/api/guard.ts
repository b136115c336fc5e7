import type { Clock } from '../base/clock.ts';
import { Refusal } from './answer.ts';
import { BadTokens } from './bad-tokens.ts';
import { PAGE_HEADER } from './send.ts';

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
  /** Where a page may come in; where it is absent, a page's session opens nothing. */
  readonly page?: PageAccess;
  /** Shared by all who count at one door. */
  readonly bad?: BadTokens;
  readonly clock: Clock;
}

/** What a browser may have of the hub. */
export interface PageAccess {
  /** Files of the page, which hold no data, and the way in. */
  isPublic(knock: Knock): boolean;
  /** Whether both halves of a session came along, for an operation. */
  admits(knock: Knock): boolean;
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
  const { principal = 'local', isToken, page, bad = new BadTokens(options.clock) } = options;
  const admitted = new Admitted(isToken);
  return (knock, via) => {
    if (via === 'socket') {
      refuseAnyOrigin(knock);
      return principal;
    }
    checkHost(knock, options.port());
    const isPublic = page?.isPublic(knock) ?? false;
    if (!isFollowedLink(knock, isPublic)) checkOrigin(knock);
    if (isPublic || isOpen(knock) || page?.admits(knock)) return principal;
    checkToken(knock, admitted, bad);
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

/**
 * A person may follow a link to the page or to an approval from anywhere; what they do there comes from
 * ours. The frame for apps is put into our page from another name of ours: its own policy says into
 * which page it may be put.
 */
function isFollowedLink({ path, header }: Knock, isPublic: boolean): boolean {
  if (header('sec-fetch-mode') !== 'navigate' || header('origin') !== undefined) return false;
  const dest = header('sec-fetch-dest');
  if (path === APP_FRAME) return dest === 'iframe';
  return dest === 'document' && (isPublic || path.startsWith(APPROVAL));
}

const APPROVAL = '/approve/';
const APP_FRAME = '/app-frame';

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
  throw bad.refuse(knock.header(PAGE_HEADER) === undefined ? needsToken() : sessionEnded());
}

function needsToken(): Refusal {
  return new Refusal(401, 'denied', 'This hub needs its token.', {
    next: 'Send “authorization: Bearer …” with the token from the file hub.token in the folder of hub.json.',
    headers: { 'www-authenticate': 'Bearer realm="plugboard"' },
  });
}

function sessionEnded(): Refusal {
  return new Refusal(401, 'denied', 'The session of this page has ended.', { next: 'plug open' });
}

const BEARER = /^bearer (\S{1,512})$/i;
