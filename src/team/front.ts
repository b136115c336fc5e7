import { answer, answerError, Refusal } from '../api/answer.ts';
import type { Clock } from '../base/clock.ts';
import { PlugError, toPlugError } from '../base/errors.ts';
import type { Principal } from '../hub/principal.ts';
import { AUTH_PATH } from './auth-path.ts';
import { callbackIn } from './callbacks.ts';
import type { Known } from './credentials.ts';
import { Doors } from './doors.ts';
import { LibraryDoor } from './oauth/library-door.ts';
import { metadataAt } from './oauth/metadata.ts';
import { runTeamOperation } from './operations/table.ts';
import type { Person } from './people.ts';
import { checkHost, checkSite, isNavigation, nothingHere, whenDone, withoutCredentials } from './requests.ts';
import { ownerOf, principalOf, TEAM_OWNER } from './owners.ts';
import { ScimDoor } from './scim/door.ts';
import { TeamPage } from './team-page.ts';
import type { Team } from './team.ts';

/** Names whose rows a request is about: `team`, or `person:ID` for an auditor. Absent: one's own. */
export const SPACE_HEADER = 'plug-space';

/** Finds out who asks, in whose space, and hands the request to the hub of that space. */
export class Front {
  readonly #team: Team;
  readonly #doors: Doors;
  readonly #library: LibraryDoor;
  readonly #page: TeamPage;
  readonly #directory: ScimDoor;

  constructor(team: Team, clock: Clock) {
    this.#team = team;
    this.#doors = new Doors(team);
    this.#library = new LibraryDoor(team);
    this.#page = new TeamPage(team.pageFolder);
    this.#directory = new ScimDoor(team, clock);
  }

  async fetch(request: Request, peer: string | undefined): Promise<Response> {
    try {
      return await this.#route(request, peer);
    } catch (error) {
      const { code, message } = toPlugError(error);
      if (code === 'internal') this.#team.logger.error('request failed', { error: message });
      return answerError(error);
    }
  }

  async #route(request: Request, peer: string | undefined): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/health') return this.#team.isReady() ? answer({ ok: true }) : leaving();
    if (pathname.startsWith('/.well-known/')) {
      checkHost(request, this.#team.url);
      return await metadataAt(pathname, request, this.#team);
    }
    if (pathname.startsWith(`${AUTH_PATH}/`)) return await this.#library.answer(request, peer);
    if (ScimDoor.isFor(pathname)) return await this.#directory.answer(request);
    if (pathname.startsWith('/v1/team/')) return await this.#ofTeam(request);
    if (pathname.startsWith('/v1/')) return await this.#inSpace(request, (await this.#who(request)).person);
    return await this.#forBrowser(request, pathname);
  }

  /** What people look at. */
  async #forBrowser(request: Request, pathname: string): Promise<Response> {
    if (isNavigation(request)) checkHost(request, this.#team.url);
    else checkSite(request, this.#team.url);
    const file = await this.#page.file(request, pathname);
    if (file) return file;
    const known = await this.#session(request);
    const door = await this.#doors.answer(request, known?.person);
    if (door) return door;
    const callback = callbackIn(pathname);
    if (callback) return this.#callback(request, callback, known?.person);
    if (request.method !== 'GET' || !TeamPage.isPlace(pathname)) throw nothingHere();
    return known ? await this.#page.document() : toSignIn();
  }

  /** By the cookie alone: a host's key opens no page. */
  #session(request: Request): Promise<Known | undefined> {
    const cookie = request.headers.get('cookie') ?? undefined;
    return this.#team.credentials.who((name) => (name === 'cookie' ? cookie : undefined));
  }

  /** Throws a refusal for everybody who is not of the team, and for hosts: they have the gateway. */
  async #who(request: Request): Promise<Known> {
    checkSite(request, this.#team.url);
    const known = await this.#team.credentials.who((name) => request.headers.get(name) ?? undefined);
    if (known && !known.host) return known;
    if (known) throw new Refusal(403, 'denied', 'What a host holds opens the gateway alone.');
    throw new Refusal(401, 'denied', 'Sign in to the team.', {
      remedy: 'Open /sign-in. Hosts use the gateway at /mcp.',
      headers: { 'www-authenticate': 'Bearer realm="plugboard"' },
    });
  }

  async #ofTeam(request: Request): Promise<Response> {
    const { person } = await this.#who(request);
    return await runTeamOperation(request, person, this.#team);
  }

  /** An answer of an authorization server, for the one who began. */
  #callback(request: Request, space: 'own' | 'team', person: Person | undefined): Response {
    if (!person) return toSignIn();
    const { searchParams } = new URL(request.url);
    const isAdmin = person.role === 'owner' || person.role === 'admin';
    const owner = space === 'own' ? ownerOf(person) : TEAM_OWNER;
    const isAllowed = space === 'own' || isAdmin;
    return this.#doors.cameBack(isAllowed && this.#team.callbacks.answer(owner, searchParams));
  }

  async #inSpace(request: Request, person: Person): Promise<Response> {
    const { owner, principal } = await this.#spaceOf(request, person);
    const { view, letGo } = await this.#team.spaces.use(owner, principal);
    try {
      const answered = await view.api().fetch(withoutCredentials(request), 'front');
      const changed = request.method !== 'GET' && owner === TEAM_OWNER && answered.ok;
      if (changed) await this.#team.changedShared();
      return whenDone(answered, letGo);
    } catch (error) {
      letGo();
      throw error;
    }
  }

  async #spaceOf(
    request: Request,
    person: Person,
  ): Promise<{ readonly owner: string; readonly principal: Principal }> {
    const space = request.headers.get(SPACE_HEADER);
    if (space === null) return { owner: ownerOf(person), principal: principalOf(person, 'own') };
    if (space === 'team') return { owner: TEAM_OWNER, principal: principalOf(person, 'team') };
    const id = /^person:([\w-]{1,64})$/.exec(space)?.[1];
    // Who may not look at others does not learn who there is.
    const other =
      id !== undefined && person.role === 'auditor' ? await this.#team.people.find(id) : undefined;
    if (!other) throw new PlugError('not_found', 'There is no such space.', { owner: 'you' });
    return { owner: ownerOf(other), principal: principalOf(person, 'other') };
  }
}

function toSignIn(): Response {
  return new Response(null, { status: 303, headers: { location: '/sign-in', 'cache-control': 'no-store' } });
}

/** For balancers: send nothing more. */
function leaving(): Response {
  const headers = { 'cache-control': 'no-store' };
  return new Response(JSON.stringify({ ok: false }), { status: 503, headers });
}
