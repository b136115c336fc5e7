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
  readonly clock: Clock;
}

/** Throws a Refusal unless the request may go on. Cheap checks first, nothing read from the body. */
export type Guard = (request: Request, via: Via) => void;

export function createGuard(options: GuardOptions): Guard {
  const bad = new BadTokens(options.clock);
  return (request, via) => {
    if (via === 'socket') return refuseAnyOrigin(request);
    checkHost(request, options.port());
    checkOrigin(request);
    if (new URL(request.url).pathname === '/health') return;
    checkToken(request, options.isToken, bad);
  };
}

/** A browser never speaks over the socket, so that whatever names an origin there is not ours. */
function refuseAnyOrigin(request: Request): void {
  if (request.headers.has('origin')) throw foreign();
}

/** DNS rebinding arrives with a foreign name in Host, even though the address is ours. */
function checkHost(request: Request, port: number | undefined): void {
  const host = request.headers.get('host')?.toLowerCase();
  const ours = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  if (port !== undefined && host !== undefined && ours.includes(host)) return;
  throw new Refusal(403, 'denied', 'The Host header does not name this hub.');
}

/** Same origin or none: a page of another localhost port is as foreign as any other site. */
function checkOrigin(request: Request): void {
  const origin = request.headers.get('origin');
  if (origin !== null && origin !== `http://${request.headers.get('host')?.toLowerCase()}`) throw foreign();
  // A page can send some requests without Origin; the browser then still says where they are from.
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') throw foreign();
}

function foreign(): Refusal {
  return new Refusal(403, 'denied', 'Requests from other web pages are refused.');
}

function checkToken(request: Request, isToken: (given: string) => boolean, bad: BadTokens): void {
  const given = /^bearer (\S{1,512})$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  // A right token always passes: otherwise anybody who can guess wrongly could lock the user out.
  if (given !== undefined && isToken(given)) return;
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
