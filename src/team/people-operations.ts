import { answer, Refusal } from '../api/answer.ts';
import { PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { parseJson } from '../base/parse-json.ts';
import type { TeamRole } from '../hub/principal.ts';
import { teamLimits } from './limits.ts';
import { isTeamRole, type People, type Person } from './people.ts';
import type { Quotas } from './quotas.ts';
import { ownerOf, type Spaces } from './spaces.ts';
import type { TeamRules } from './team-rules.ts';

interface Context {
  readonly people: People;
  readonly spaces: Spaces;
  readonly quotas: Quotas;
  readonly teamRules: TeamRules;
  /** Quotas, rules and servers: every replica reads them again. */
  readonly changedShared: () => Promise<void>;
  readonly url: () => string;
}

type Input = Readonly<Record<string, unknown>>;

interface PeopleOperation {
  readonly roles: readonly TeamRole[];
  readonly run: (context: Context, person: Person, input: Input, id: string) => Promise<unknown>;
}

const ALL: readonly TeamRole[] = ['owner', 'admin', 'member', 'auditor'];
const ADMINS: readonly TeamRole[] = ['owner', 'admin'];

/** Who is in the team, and which hosts speak for whom. */
const PEOPLE_OPERATIONS: Readonly<Record<string, PeopleOperation>> = {
  'GET /v1/team/me': { roles: ALL, run: (_context, person) => Promise.resolve(person) },
  'GET /v1/team/people': { roles: [...ADMINS, 'auditor'], run: ({ people }) => people.list() },
  'POST /v1/team/invitations': { roles: ADMINS, run: invite },
  'PUT /v1/team/people/:id': { roles: ADMINS, run: changeRole },
  'DELETE /v1/team/people/:id': { roles: ADMINS, run: remove },
  'GET /v1/team/keys': {
    roles: ['owner', 'admin', 'member'],
    run: ({ people }, person) => people.keys(person),
  },
  'POST /v1/team/keys': { roles: ['owner', 'admin', 'member'], run: addKey },
  'GET /v1/team/quotas': { roles: [...ADMINS, 'auditor'], run: ({ quotas }) => Promise.resolve(quotas.all) },
  'PUT /v1/team/quotas': { roles: ADMINS, run: setQuotas },
  'GET /v1/team/rules': { roles: [...ADMINS, 'auditor'], run: ({ teamRules }) => teamRules.all() },
  'PUT /v1/team/rules': { roles: ADMINS, run: setRules },
  'DELETE /v1/team/keys/:id': { roles: ['owner', 'admin', 'member'], run: removeKey },
};

export async function peopleOperations(
  request: Request,
  person: Person,
  context: Context,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, area = '', id = ''] = /^\/v1\/team\/([a-z]+)(?:\/([\w-]{1,64}))?$/.exec(pathname) ?? [];
  const name = `${request.method} /v1/team/${area}${id === '' ? '' : '/:id'}`;
  const operation = Object.hasOwn(PEOPLE_OPERATIONS, name) ? PEOPLE_OPERATIONS[name] : undefined;
  if (!operation) throw new Refusal(404, 'not_found', 'There is nothing at this address.');
  if (!operation.roles.includes(person.role)) throw notYours();
  return answer(await operation.run(context, person, await readJson(request), id));
}

/** The address of the link is the admin's to send: whoever has it proves the address of the invited. */
async function invite({ people, url }: Context, person: Person, input: Input): Promise<unknown> {
  const email = textIn(input, 'email');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw usage('email');
  const role = roleIn(input);
  onlyOwners(person, role);
  return { url: `${url()}/join/${await people.invite(email, role)}` };
}

async function changeRole({ people }: Context, person: Person, input: Input, id: string): Promise<unknown> {
  const role = roleIn(input);
  onlyOwners(person, role, (await people.find(id))?.role);
  return await people.setRole(id, role);
}

/** What they have under way ends, too. */
async function remove({ people, spaces }: Context, person: Person, _input: Input, id: string): Promise<void> {
  onlyOwners(person, (await people.find(id))?.role);
  await people.remove(id);
  await spaces.end(ownerOf({ id }));
}

async function setQuotas(
  { quotas, changedShared }: Context,
  _person: Person,
  input: Input,
): Promise<unknown> {
  const set = await quotas.replace(input['quotas']);
  await changedShared();
  return set;
}

async function setRules(
  { teamRules, changedShared }: Context,
  _person: Person,
  input: Input,
): Promise<unknown> {
  const set = await teamRules.replace(input['rules']);
  await changedShared();
  return set;
}

async function addKey({ people }: Context, person: Person, input: Input): Promise<unknown> {
  return await people.addKey(person, textIn(input, 'name'));
}

async function removeKey({ people }: Context, person: Person, _input: Input, id: string): Promise<void> {
  if (await people.removeKey(person, id)) return;
  throw new PlugError('not_found', 'There is no such key.', { owner: 'you' });
}

/** Admins make no owners, and none of them less. */
function onlyOwners(person: Person, ...roles: readonly (TeamRole | undefined)[]): void {
  if (roles.includes('owner') && person.role !== 'owner') throw notYours();
}

function notYours(): PlugError {
  const remedy = 'Ask an owner of the team.';
  return new PlugError('denied', 'Your role does not allow this.', { owner: 'you', remedy });
}

async function readJson(request: Request): Promise<Input> {
  if (request.method === 'GET' || request.method === 'DELETE') return {};
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!(length <= teamLimits.bodyBytesMax))
    throw new PlugError('too_large', 'The body is too long.', { owner: 'you' });
  let input: unknown;
  try {
    input = parseJson(await request.text());
  } catch {
    throw new PlugError('usage', 'The body is no JSON.', { owner: 'you' });
  }
  if (isObject(input)) return input;
  throw new PlugError('usage', 'The body is no JSON object.', { owner: 'you' });
}

function textIn(input: Input, field: string): string {
  const text = input[field];
  if (typeof text === 'string' && text !== '' && text.length <= teamLimits.nameCharsMax) return text;
  throw usage(field);
}

function roleIn(input: Input): TeamRole {
  const role = input['role'];
  if (isTeamRole(role)) return role;
  throw usage('role');
}

function usage(field: string): PlugError {
  return new PlugError('usage', `The field ${field} is missing or not of its form.`, { owner: 'you' });
}
