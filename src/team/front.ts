import { answer, answerError, Refusal } from '../api/answer.ts';
import { PlugError, toPlugError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Principal, TeamRole } from '../hub/principal.ts';
import { PEER_HEADER } from './auth.ts';
import { joinPage, setUpPage, signInPage } from './forms.ts';
import { peopleOperations } from './people-operations.ts';
import type { Quotas } from './quotas.ts';
import type { TeamRules } from './team-rules.ts';
import type { Known, People, Person } from './people.ts';
import { ownerOf, TEAM_OWNER, type Spaces } from './spaces.ts';

export interface FrontOptions {
  readonly people: People;
  readonly spaces: Spaces;
  readonly quotas: Quotas;
  readonly teamRules: TeamRules;
  /** Where the team is reached: an origin, without a path. */
  readonly url: () => string;
  readonly logger: Logger;
  /** After a change of what the team shares. */
  readonly changedShared: () => Promise<void>;
  /** False while this replica hands over what it does to the others. */
  readonly isReady: () => boolean;
}

/** Names whose rows a request is about: `team`, or `person:ID` for an auditor. Absent: one's own. */
export const SPACE_HEADER = 'plug-space';

/** Of the library's addresses, those that a browser needs. Everything else goes through operations of ours. */
const OPEN = new Map([
  ['/api/auth/sign-in/email', 'POST'],
  ['/api/auth/sign-out', 'POST'],
  ['/api/auth/get-session', 'GET'],
  ['/api/auth/change-password', 'POST'],
]);

/** Finds out who asks, in whose space, and hands the request to the hub of that space. */
export class Front {
  readonly #options: FrontOptions;

  constructor(options: FrontOptions) {
    this.#options = options;
  }

  async fetch(request: Request, peer: string | undefined): Promise<Response> {
    try {
      return await this.#route(request, peer);
    } catch (error) {
      const { code, message } = toPlugError(error);
      if (code === 'internal') this.#options.logger.error('request failed', { error: message });
      return answerError(error);
    }
  }

  /** Throws a refusal for everybody who is not of the team. */
  async who(request: Request): Promise<Known> {
    checkSite(request, this.#options.url());
    const known = await this.#options.people.who((name) => request.headers.get(name) ?? undefined);
    if (known) return known;
    throw new Refusal(401, 'denied', 'Sign in to the team, or send the key of a host.', {
      remedy: 'Open /sign-in, or send “authorization: Bearer plugkey_…”.',
      headers: { 'www-authenticate': 'Bearer realm="plugboard"' },
    });
  }

  async #route(request: Request, peer: string | undefined): Promise<Response> {
    const { people } = this.#options;
    const { pathname } = new URL(request.url);
    if (pathname === '/health') return this.#options.isReady() ? answer({ ok: true }) : leaving();
    if (pathname.startsWith('/api/auth/')) {
      if (OPEN.get(pathname) !== request.method) throw nothingHere();
      // The library looks at the origin only where a cookie came along: not when somebody signs in.
      checkSite(request, this.#options.url());
      return await people.handle(from(request, peer));
    }
    if (pathname === '/sign-in') return signInPage();
    const link = /^\/(set-up|join)\/([\w-]{43})$/.exec(pathname);
    if (link) return await this.#link(request, link[1] as 'set-up' | 'join', link[2] ?? '');
    if (!pathname.startsWith('/v1/')) throw nothingHere();
    const { person, key } = await this.who(request);
    if (pathname.startsWith('/v1/team/')) {
      // A host speaks for its person at the gateway; it does not change who is in the team.
      if (key) throw new Refusal(403, 'denied', 'The key of a host does not open this.');
      return await peopleOperations(request, person, this.#options);
    }
    return await this.#inSpace(request, person);
  }

  async #inSpace(request: Request, person: Person): Promise<Response> {
    const { owner, principal } = await this.#spaceOf(request, person);
    const { view, letGo } = await this.#options.spaces.use(owner, principal);
    try {
      const answered = await view.api.fetch(withoutCredentials(request), 'socket');
      const changed = request.method !== 'GET' && owner === TEAM_OWNER && answered.ok;
      if (changed) await this.#options.changedShared();
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
      id !== undefined && person.role === 'auditor' ? await this.#options.people.find(id) : undefined;
    if (!other) throw new PlugError('not_found', 'There is no such space.', { owner: 'you' });
    return { owner: ownerOf(other), principal: principalOf(person, 'other') };
  }

  async #link(request: Request, kind: 'set-up' | 'join', token: string): Promise<Response> {
    if (request.method === 'GET') return kind === 'set-up' ? setUpPage() : joinPage();
    if (request.method !== 'POST') throw nothingHere();
    checkSite(request, this.#options.url());
    const { people } = this.#options;
    const given = await readForm(request, kind === 'set-up');
    if (kind === 'set-up') await people.setUp(token, given);
    else await people.join(token, given);
    return new Response(null, {
      status: 303,
      headers: { location: '/sign-in', 'cache-control': 'no-store' },
    });
  }
}

export function principalOf({ id, role }: Person, space: 'own' | 'team' | 'other'): Principal {
  return { id, role: 'owner', team: { role: role satisfies TeamRole, space } };
}

/** A browser says where a request comes from; a page of another site gets nothing. */
function checkSite(request: Request, url: string): void {
  const own = new URL(url);
  if (request.headers.get('host')?.toLowerCase() !== own.host) {
    throw new Refusal(421, 'denied', 'The Host header does not name this team.');
  }
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  const isForeign = origin !== null && origin !== own.origin;
  const isCross = site !== null && site !== 'same-origin' && site !== 'none';
  if (isForeign || isCross) throw new Refusal(403, 'denied', 'Requests from other web pages are refused.');
  // Cookies go along by themselves: a change needs the browser's word where it comes from.
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  if (changes && origin === null && request.headers.has('cookie')) {
    throw new Refusal(403, 'denied', 'A change with a cookie needs the Origin header.');
  }
}

/** The hub of a space has been told who asks. */
function withoutCredentials(request: Request): Request {
  const headers = new Headers(request.headers);
  for (const name of ['cookie', 'authorization', 'origin', 'plug-folder']) headers.delete(name);
  return withHeaders(request, headers);
}

function from(request: Request, peer: string | undefined): Request {
  const headers = new Headers(request.headers);
  headers.delete(PEER_HEADER);
  if (peer !== undefined) headers.set(PEER_HEADER, peer);
  return withHeaders(request, headers);
}

/** The listener's own requests can't be copied by the constructor. */
function withHeaders({ url, method, body, signal }: Request, headers: Headers): Request {
  return new Request(url, {
    method,
    headers,
    signal,
    ...(body ? { body, duplex: 'half' } : {}),
  });
}

const FORM_BYTES_MAX = 8 * 1024;

async function readForm(request: Request, hasEmail: boolean) {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!(length <= FORM_BYTES_MAX)) throw new PlugError('too_large', 'A form is shorter.', { owner: 'you' });
  const form = new URLSearchParams(await request.text());
  const field = (name: string): string => {
    const text = form.get(name)?.trim() ?? '';
    if (text !== '' && text.length <= 256) return text;
    throw new PlugError('usage', `The field ${name} is missing or too long.`, { owner: 'you' });
  };
  return { name: field('name'), email: hasEmail ? field('email') : '', password: field('password') };
}

/** An answer may stream for as long as it likes; the space stays until it has ended. */
function whenDone(answered: Response, done: () => void): Response {
  if (!answered.body) {
    done();
    return answered;
  }
  let isDone = false;
  const once = (): void => {
    if (!isDone) done();
    isDone = true;
  };
  // Not written in place: the types of browsers do not know “cancel” yet.
  const ends = { flush: once, cancel: once };
  const through = new TransformStream<Uint8Array, Uint8Array>(ends);
  return new Response(answered.body.pipeThrough(through), answered);
}

/** For balancers: send nothing more. */
function leaving(): Response {
  return new Response(JSON.stringify({ ok: false }), {
    status: 503,
    headers: { 'cache-control': 'no-store' },
  });
}

function nothingHere(): Refusal {
  return new Refusal(404, 'not_found', 'There is nothing at this address.');
}
