import { ALWAYS } from '../../api/answer.ts';
import type { Clock } from '../../base/clock.ts';
import { toPlugError } from '../../base/errors.ts';
import { parseJson } from '../../base/parse-json.ts';
import { findShapeProblem } from '../../base/json-shape.ts';
import { TEAM_OWNER } from '../owners.ts';
import { checkHost } from '../requests.ts';
import type { Team } from '../team.ts';
import { GROUPS, type ResourceType, USERS } from './attributes.ts';
import { resourceTypes, schemas, serviceConfig } from './discovery.ts';
import { parseFilter } from './filter.ts';
import { ScimGroups } from './groups.ts';
import { scimLimits } from './limits.ts';
import { patched } from './patch.ts';
import { readResource, type Resource } from './read-resource.ts';
import { answerFailure, answerList, answerResource } from './answers.ts';
import { invalid, noResource, ScimError } from './scim-error.ts';
import { projected, projectionIn } from './shown.ts';
import { Soon } from './soon.ts';
import type { Change, ResourceStore } from './store.ts';
import type { Directory } from './tokens.ts';
import { ScimUsers } from './users.ts';

const BASE = '/scim/v2';

interface Asked {
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly type: ResourceType;
  readonly store: ResourceStore;
  readonly by: Directory;
}

/** SCIM 2.0 (RFC 7644): an identity provider keeps the people and groups of the team. */
export class ScimDoor {
  readonly #team: Team;
  readonly #clock: Clock;
  readonly #url: string;
  readonly #users: ResourceStore;
  readonly #groups: ResourceStore;

  constructor(team: Team, clock: Clock) {
    this.#team = team;
    this.#clock = clock;
    this.#url = `${team.url}${BASE}`;
    this.#users = new ScimUsers({ team, url: this.#url, clock });
    const { groups, people } = team;
    const shared = new Soon(() => team.changedShared());
    this.#groups = new ScimGroups({ groups, people, url: this.#url, changed: () => shared.run() });
  }

  static isFor(path: string): boolean {
    return path === BASE || path.startsWith(`${BASE}/`);
  }

  async answer(request: Request): Promise<Response> {
    try {
      checkHost(request, this.#team.url);
      const by = await this.#admit(request);
      await this.#count();
      return await this.#route(request, by);
    } catch (error) {
      const { code, message } = toPlugError(error);
      if (!(error instanceof ScimError) && code === 'internal')
        this.#team.logger.error('a request of the directory failed', { error: message });
      return answerFailure(error);
    }
  }

  /** By its token alone: a browser that comes along opens nothing here. */
  async #admit(request: Request): Promise<Directory> {
    const sent = /^bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
    const found = await this.#team.directoryTokens.find(sent);
    if (found) return found;
    throw new ScimError(401, 'The directory token is missing, or opens nothing.');
  }

  /** Counted in the database, for all replicas; what can't be counted isn't answered. */
  async #count(): Promise<void> {
    const span = Math.floor(this.#clock.now() / MINUTE_MS);
    const counted = { name: 'scim', span, max: scimLimits.requestsPerMinute };
    if (await this.#team.storage.counters.count(TEAM_OWNER, counted)) return;
    throw new ScimError(429, 'Too many requests. Try again in a minute.');
  }

  async #route(request: Request, by: Directory): Promise<Response> {
    const { pathname, searchParams: query } = new URL(request.url);
    const [place = '', id, ...more] = pathname
      .slice(BASE.length + 1)
      .split('/')
      .map(decoded);
    if (more.length > 0) throw noResource();
    const type = [USERS, GROUPS].find((one) => one.place === place);
    if (!type) return this.#describe(request, place, id);
    const store = type === USERS ? this.#users : this.#groups;
    const asked = { request, query, type, store, by };
    if (id === undefined || id === '') return await this.#ofAll(asked);
    if (id === '.search' && request.method === 'POST') return await list(await searched(asked));
    const answered = await ofOne(asked, id);
    if (request.method !== 'GET') this.#note(asked, id);
    return answered;
  }

  async #ofAll(asked: Asked): Promise<Response> {
    const { request, query, type, store, by } = asked;
    if (request.method === 'GET') return await list(asked);
    if (request.method !== 'POST') throw notAllowed();
    const made = await store.add(readResource(await bodyOf(request), type), by);
    this.#note(asked, String(made['id']));
    return answerResource(made, projectionIn(query, type), 201);
  }

  #describe({ method }: Request, place: string, id: string | undefined): Response {
    if (place === 'Me' || place === 'Bulk') throw new ScimError(501, 'This is not supported.');
    const known = DESCRIBED[place];
    if (!known) throw noResource();
    if (method !== 'GET') throw notAllowed();
    const found = known(this.#url);
    if (!Array.isArray(found)) return answerResource(found as Resource, {});
    const all = found as readonly Resource[]; // as just checked
    if (id === undefined || id === '') return answerList({ resources: all, total: all.length, from: 1 });
    const one = all.find((each) => each['id'] === id);
    if (!one) throw noResource();
    return answerResource(one, {});
  }

  /** For those who run the team; what was written may be private. */
  #note({ request, type, by }: Asked, id: string): void {
    const { method } = request;
    this.#team.logger.info('the directory changed something', {
      method,
      kind: type.name,
      id,
      token: by.token,
    });
  }
}

const MINUTE_MS = 60_000;

const DESCRIBED: Readonly<Record<string, ((url: string) => Resource | readonly Resource[]) | undefined>> = {
  __proto__: null as never,
  ServiceProviderConfig: serviceConfig,
  ResourceTypes: resourceTypes,
  Schemas: schemas,
};

async function list({ query, type, store }: Omit<Asked, 'request'>): Promise<Response> {
  const text = query.get('filter');
  const filter = text === null || text.trim() === '' ? undefined : parseFilter(text, type);
  const projection = projectionIn(query, type);
  const from = Math.max(1, numberIn(query, 'startIndex', 1));
  const count = Math.min(scimLimits.pageMax, Math.max(0, numberIn(query, 'count', scimLimits.pageDefault)));
  const { total, resources } = await store.select({ filter, projection, from: from - 1, count });
  return answerList({ resources: resources.map((one) => projected(one, projection)), total, from });
}

/** The same as a list, with what is asked for in the body. */
async function searched(asked: Asked): Promise<Asked> {
  const body = readObject(await bodyOf(asked.request));
  const query = new URLSearchParams();
  for (const name of ['filter', 'startIndex', 'count', 'attributes', 'excludedAttributes']) {
    const value = body[name];
    if (Array.isArray(value)) query.set(name, value.join(','));
    else if (typeof value === 'string' || typeof value === 'number') query.set(name, `${value}`);
  }
  return { ...asked, query };
}

async function ofOne({ request, query, type, store, by }: Asked, id: string): Promise<Response> {
  const projection = projectionIn(query, type);
  const { method, headers } = request;
  if (method === 'GET') {
    const found = await store.find(id, projection);
    if (!found) throw noResource();
    return answerResource(found, projection, 200, headers.get('if-none-match'));
  }
  if (method === 'DELETE') {
    const found = headers.has('if-match') ? await store.find(id, {}) : undefined;
    if (found) checkVersion(headers, found);
    await store.remove(id, by);
    return new Response(null, { status: 204, headers: ALWAYS });
  }
  if (method !== 'PUT' && method !== 'PATCH') throw notAllowed();
  const body = await bodyOf(request);
  const change: Change = (written, shown) => {
    checkVersion(headers, shown);
    return method === 'PUT' ? readResource(body, type) : patched(written, body, type);
  };
  return answerResource(await store.change(id, change, by), projection);
}

function checkVersion(headers: Headers, { meta }: Resource): void {
  const wanted = headers.get('if-match');
  if (wanted === null || wanted === '*') return;
  const { version } = meta as { readonly version: string }; // we made it
  if (wanted.split(',').some((one) => one.trim() === version)) return;
  throw new ScimError(412, 'The resource has changed meanwhile.');
}

function numberIn(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw invalid('invalidValue', `${name} is no whole number.`);
}

function readObject(value: unknown): Resource {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Resource;
  throw invalid('invalidSyntax', 'The body is no JSON object.');
}

/** Some directories do not say beforehand how long it is. */
async function bodyOf({ body }: Request): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > scimLimits.bodyBytesMax) throw new ScimError(413, 'The body is too long.');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const bounds = { depthMax: scimLimits.jsonDepthMax, itemsMax: Number.POSITIVE_INFINITY };
  if (findShapeProblem(text, bounds) !== undefined)
    throw invalid('invalidSyntax', 'The body is no JSON of ours.');
  try {
    return parseJson(text);
  } catch {
    throw invalid('invalidSyntax', 'The body is no JSON.');
  }
}

function decoded(part: string): string {
  let id = '\0';
  try {
    id = decodeURIComponent(part);
  } catch {
    // Nothing has such an id.
  }
  // The database knows no such text.
  if (id.includes('\0')) throw noResource();
  return id;
}

function notAllowed(): ScimError {
  return new ScimError(405, 'This method is not for this address.');
}
