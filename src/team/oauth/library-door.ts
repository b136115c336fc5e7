import { AUTH_PATH } from '../auth-path.ts';
import { isObject } from '../../base/json.ts';
import { checkHost, checkSite, fromPeer, isNavigation, nothingHere, readJson } from '../requests.ts';
import { PROVIDER } from '../single-sign-on.ts';
import type { Team } from '../team.ts';

/** Of the library's addresses, those that are needed. Everything else goes through operations of ours. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  '/sign-in/email': ['POST'],
  '/sign-in/social': ['POST'],
  '/sign-out': ['POST'],
  '/get-session': ['GET'],
  '/change-password': ['POST'],
  [`/callback/${PROVIDER}`]: ['GET'],
  '/oauth2/authorize': ['GET'],
  '/oauth2/consent': ['POST'],
  '/oauth2/token': ['POST'],
  '/oauth2/revoke': ['POST'],
  '/oauth2/register': ['POST'],
};

/** Reached by following a link, also from another site. */
const FOLLOWED = new Set(['/oauth2/authorize', `/callback/${PROVIDER}`]);

export class LibraryDoor {
  readonly #team: Pick<Team, 'people' | 'url'>;

  constructor(team: Pick<Team, 'people' | 'url'>) {
    this.#team = team;
  }

  async answer(request: Request, peer: string | undefined): Promise<Response> {
    const { url, people } = this.#team;
    const path = new URL(request.url).pathname.slice(AUTH_PATH.length);
    if (!Object.hasOwn(OPEN, path) || !OPEN[path]?.includes(request.method)) throw nothingHere();
    // The library looks at the origin only where a cookie came along: not when somebody signs in.
    if (FOLLOWED.has(path) && isNavigation(request)) checkHost(request, url);
    else checkSite(request, url);
    return await people.auth.handler(fromPeer(await this.#prepared(request, path), peer));
  }

  async #prepared(request: Request, path: string): Promise<Request> {
    if (path === '/oauth2/register') return await registration(request);
    if (path === '/oauth2/authorize') return authorization(request, this.#team.url);
    return request;
  }
}

/** Hosts on a machine come back to it by http, and often do not say that they are programs there. */
async function registration(request: Request): Promise<Request> {
  const given = await readJson(request);
  const uris = Array.isArray(given['redirect_uris']) ? given['redirect_uris'] : [];
  const isNative = uris.some((uri) => typeof uri === 'string' && !uri.startsWith('https:'));
  const type = given['application_type'] ?? (isNative ? 'native' : 'web');
  const body = JSON.stringify({ ...knownFields(given), application_type: type });
  // It speaks for nobody: a session that came along must not make it somebody's client.
  return new Request(request.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

/** Scopes of other servers are asked for out of habit; a person is asked for those of ours. */
function knownFields(given: Readonly<Record<string, unknown>>): object {
  const { scope: _scope, ...rest } = given;
  return isObject(rest) ? rest : {};
}

/** Older hosts do not say what the token is for: there is one thing it can be for. */
function authorization(request: Request, url: string): Request {
  const address = new URL(request.url);
  if (address.searchParams.has('resource')) return request;
  address.searchParams.set('resource', `${url}/mcp`);
  return new Request(address, { headers: request.headers });
}
