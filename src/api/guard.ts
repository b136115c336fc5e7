import type { Clock } from '../base/clock.ts';
import { isOwnHost } from '../base/own-host.ts';
import { LOCAL, type Principal } from '../hub/principal.ts';
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
  readonly principal?: Principal;
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
export type Guard = (knock: Knock, via: Via) => Principal;

export function createGuard(options: GuardOptions): Guard {
  const { principal = LOCAL, isToken, page, bad = new BadTokens(options.clock) } = options;
  // The token is the same for as long as a hub lives.
  const tokens = new ShownTokens((given) => isToken(given) || undefined);
  return (knock, via) => {
    if (via === 'socket') {
      refuseAnyOrigin(knock);
      return principal;
    }
    checkHost(knock, options.port());
    const isPublic = page?.isPublic(knock) ?? false;
    if (!isFollowedLink(knock, isPublic)) checkOrigin(knock);
    if (isPublic || isOpen(knock) || page?.admits(knock)) return principal;
    checkToken(knock, tokens, bad);
    return principal;
  };
}

/**
 * Whom or what the token in a header stands for. A connection that has shown a token is known by the very
 * text that it sent then, so that not every request of it is hashed. Comparing that text tells nothing: it
 * was sent on this connection before.
 */
export class ShownTokens<Known> {
  readonly #find: (token: string) => Known | undefined;
  readonly #isStill: (known: Known) => boolean;
  readonly #shown = new WeakMap<object, { readonly sent: string; readonly known: Known }>();

  constructor(find: (token: string) => Known | undefined, isStill: (known: Known) => boolean = () => true) {
    this.#find = find;
    this.#isStill = isStill;
  }

  find({ header, connection }: Knock): Known | undefined {
    const sent = header('authorization');
    if (sent === undefined) return undefined;
    const shown = connection && this.#shown.get(connection);
    if (shown?.sent === sent && this.#isStill(shown.known)) return shown.known;
    const given = tokenIn(sent);
    const known = given === undefined ? undefined : this.#find(given);
    if (known !== undefined && connection) this.#shown.set(connection, { sent, known });
    return known;
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
export function refuseAnyOrigin(knock: Knock): void {
  if (knock.header('origin') !== undefined) throw foreign();
}

/** DNS rebinding arrives with a foreign name in Host, even though the address is ours. */
export function checkHost(knock: Knock, port: number | undefined): void {
  if (port !== undefined && isOwnHost(knock.header('host'), port)) return;
  throw new Refusal(403, 'denied', 'The Host header does not name this hub.');
}

/** Same origin or none: a page of another localhost port is as foreign as any other site. */
export function checkOrigin(knock: Knock): void {
  const origin = knock.header('origin');
  if (origin !== undefined && origin !== `http://${knock.header('host')?.toLowerCase()}`) throw foreign();
  // A page can send some requests without Origin; the browser then still says where they are from.
  const site = knock.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreign();
}

function foreign(): Refusal {
  return new Refusal(403, 'denied', 'Requests from other web pages are refused.');
}

function checkToken(knock: Knock, tokens: ShownTokens<true>, bad: BadTokens): void {
  // A right token always passes: otherwise anybody who can guess wrongly could lock the user out.
  if (tokens.find(knock)) return;
  throw bad.refuse(knock.header(PAGE_HEADER) === undefined ? needsToken() : sessionEnded());
}

function needsToken(): Refusal {
  return new Refusal(401, 'denied', 'This hub needs its token.', {
    remedy:
      'Send “authorization: Bearer …” with the token from the file hub.token in the folder of hub.json.',
    headers: { 'www-authenticate': 'Bearer realm="plugboard"' },
  });
}

function sessionEnded(): Refusal {
  return new Refusal(401, 'denied', 'The session of this page has ended.', { remedy: { do: 'open-page' } });
}

/** The token that a header “authorization” holds. */
export function tokenIn(sent: string): string | undefined {
  return BEARER.exec(sent)?.[1];
}

const BEARER = /^bearer (\S{1,512})$/i;
