import type { Clock } from '../base/clock.ts';
import { isOwnHost } from '../base/own-host.ts';
import { LOCAL, type Principal } from '../hub/principal.ts';
import type { HostTokens, KnownHost } from '../policy/host-tokens.ts';
import { Refusal } from './answer.ts';
import { BadTokens } from './bad-tokens.ts';
import { PAGE_HEADER } from './send.ts';

/** Only the user can open the socket; on the loopback port every web page and every local user can knock. */
export type Via = 'socket' | 'port';

/** The front of a team has let in people, in browsers, before it hands a request on. */
export type ApiVia = Via | 'front';

export interface GuardOptions {
  readonly port: () => number | undefined;
  readonly isToken: (given: string) => boolean;
  /** Tokens of editors, which open the API, are among them. */
  readonly hosts?: Pick<HostTokens, 'find' | 'used'> | undefined;
  /** Everyone who is let in acts for this one: the owner. */
  readonly principal?: Principal;
  /** Without it a page's session opens nothing. */
  readonly page?: PageAccess;
  /** Shared by all that count wrong tokens. */
  readonly bad?: BadTokens;
  readonly clock: Clock;
}

export interface PageAccess {
  /** Files of the page, which hold no data, and the way in. */
  isPublic(knock: Knock): boolean;
  admits(knock: Knock): boolean;
}

export interface Knock {
  /** By its name in lower case; undefined only when it was not sent. */
  readonly header: (name: string) => string | undefined;
  readonly path: string;
  /** The connection, if several requests use it. */
  readonly connection?: object;
}

export interface Admitted {
  readonly principal: Principal;
  /** Whose token opened: what it has under way ends when that is revoked. */
  readonly host?: KnownHost;
}

/** Answers for whom the request may act, or throws a Refusal. Reads nothing from the body. */
export type Guard = (knock: Knock, via: ApiVia) => Admitted;

export function createGuard(options: GuardOptions): Guard {
  const { principal = LOCAL, isToken, page, hosts, bad = new BadTokens(options.clock) } = options;
  // The token never changes while the hub runs.
  const tokens = new ShownTokens((given) => isToken(given) || undefined);
  const hostTokens = new ShownTokens<KnownHost>(
    (given) => hosts?.find(given),
    ({ isRevoked }) => !isRevoked,
  );
  return (knock, via) => {
    if (via !== 'port') {
      refuseAnyOrigin(knock);
      return { principal };
    }
    checkHost(knock, options.port());
    const isPublic = page?.isPublic(knock) ?? false;
    if (!isFollowedLink(knock, isPublic)) checkOrigin(knock);
    if (isPublic || isOpen(knock) || page?.admits(knock)) return { principal };
    const host = hostTokens.find(knock);
    if (host?.opens === 'api') {
      hosts?.used(host);
      return { principal, host };
    }
    checkToken(knock, tokens, bad);
    return { principal };
  };
}

/**
 * Finds what the token in a header stands for. A connection that has shown a token is known by the text that
 * it sent, so that not every request is hashed. Comparing that text leaks nothing: this connection sent it.
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

/** Health tells nothing, and a link to an approval has its own key. */
function isOpen({ path }: Knock): boolean {
  return path === '/health' || path.startsWith(APPROVAL);
}

/** Links to the page or an approval may come from anywhere. Its own policy guards the app frame. */
function isFollowedLink({ path, header }: Knock, isPublic: boolean): boolean {
  if (header('sec-fetch-mode') !== 'navigate' || header('origin') !== undefined) return false;
  const dest = header('sec-fetch-dest');
  if (path === APP_FRAME) return dest === 'iframe';
  return dest === 'document' && (isPublic || path.startsWith(APPROVAL));
}

const APPROVAL = '/approve/';
const APP_FRAME = '/app-frame';

/** A browser never uses the socket, so a request with an origin is not ours. */
export function refuseAnyOrigin(knock: Knock): void {
  if (knock.header('origin') !== undefined) throw foreign();
}

/** DNS rebinding arrives with a foreign name in Host. */
export function checkHost(knock: Knock, port: number | undefined): void {
  if (port !== undefined && isOwnHost(knock.header('host'), port)) return;
  throw new Refusal(403, 'denied', 'The Host header does not name this hub.');
}

/** Same origin or none: a page of another localhost port is a foreign site too. */
export function checkOrigin(knock: Knock): void {
  const origin = knock.header('origin');
  if (origin !== undefined && origin !== `http://${knock.header('host')?.toLowerCase()}`) throw foreign();
  // A page can send some requests without Origin, but the browser still names their site.
  const site = knock.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreign();
}

function foreign(): Refusal {
  return new Refusal(403, 'denied', 'Requests from other web pages are refused.');
}

function checkToken(knock: Knock, tokens: ShownTokens<true>, bad: BadTokens): void {
  // A right token always passes: otherwise wrong guesses could lock the user out.
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

export function tokenIn(sent: string): string | undefined {
  return BEARER.exec(sent)?.[1];
}

const BEARER = /^bearer (\S{1,512})$/i;
