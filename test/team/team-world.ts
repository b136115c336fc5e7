import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { jsonLogger } from '../../src/base/logger.ts';
import type { TeamRole } from '../../src/hub/principal.ts';
import { runTeam, type RunningTeam, type RunTeamOptions } from '../../src/team/run-team.ts';
import { asOrdinaryRole } from '../contracts/ordinary-role.ts';
import { shared } from '../suite/run-resources.ts';

export const PASSWORD = 'correct horse battery';

/** What a team needs from its environment. */
export const KEYS = { PLUG_TEAM_SECRET: 'of the tests '.repeat(4), PLUG_MASTER_KEY: 'A'.repeat(43) + '=' };

/** As it was built. */
const PAGE = fileURLToPath(new URL('../../dist/web/', import.meta.url));

/** Somebody who is signed in, as their browser would ask. */
export interface Member {
  readonly id: string;
  readonly cookie: string;
  ask(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it asked for
  readonly body: any;
}

export interface TeamWorld extends AsyncDisposable {
  readonly team: RunningTeam;
  readonly database: string;
  /** As the first start was asked, to ask again. */
  readonly options: RunTeamOptions;
  /** Everything that the hub has logged. */
  readonly logged: readonly string[];
  readonly owner: Member;
  invited(role: TeamRole, name: string): Promise<Member>;
  signIn(email: string, password?: string): Promise<Member>;
  /** As the operator of the database: rows are changed as a test needs them. */
  sql(text: string): Promise<readonly object[]>;
  /** Waits until what the hub remembers of its people is looked up again. */
  forget(): Promise<void>;
}

/** A team with its owner; servers on loopback are allowed, since those of tests are there. */
export async function openTeam(
  env: Readonly<Record<string, string>> = {},
  more: Partial<RunTeamOptions> = {},
): Promise<TeamWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'plug-team-'));
  const database = await asOrdinaryRole(await shared('database'));
  const paths = { config: folder, data: folder, state: folder };
  const logged: string[] = [];
  const logger = jsonLogger({ clock: systemClock, level: 'warn', write: (line) => void logged.push(line) });
  const common = { version: '0.0.0-test', clock: systemClock, ids: systemIds, logger };
  const guard = (ip: string): string | undefined => (ip === '127.0.0.1' ? undefined : 'not in a test');
  const options = { ...common, database, paths, env: { ...KEYS, ...env }, guard, pageFolder: PAGE, ...more };
  const team = await runTeam(options);
  const { url, setUpLink = '' } = team;
  await post(setUpLink, { name: 'Olga', email: 'olga@team.test', password: PASSWORD });
  const owner = await signIn(url, 'olga@team.test');
  return {
    team,
    database,
    options,
    logged,
    owner,
    invited: async (role, name) => {
      const email = `${name}@team.test`;
      const { body } = await owner.ask('POST', '/v1/team/invitations', { email, role });
      await post(body.url, { name, password: PASSWORD });
      return await signIn(url, email);
    },
    signIn: (email, password) => signIn(url, email, password),
    sql: async (text) => {
      const client = new Client(database);
      await client.connect();
      try {
        return (await client.query<object>(text)).rows;
      } finally {
        await client.end();
      }
    },
    forget: async () => {
      // A key that comes and goes makes the hub look everybody up again.
      const { body } = await owner.ask('POST', '/v1/team/keys', { name: 'forget' });
      await owner.ask('DELETE', `/v1/team/keys/${body.id}`);
    },
    [Symbol.asyncDispose]: async () => {
      await team.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As a person's own server would be sent, whole. */
export function definitionOf(id: string, endpoint: object): object {
  const empty = { config: {}, timeouts: {}, tools: {}, extra: {} };
  const switches = { enabled: true, readOnly: false, keepAlive: false, sharing: 'auto' };
  return { id, name: id, endpoint, auth: 'none', source: { kind: 'manual' }, ...switches, ...empty };
}

/** As a browser sends a form. */
export async function post(link: string, fields: Readonly<Record<string, string>>): Promise<number> {
  const { origin } = new URL(link);
  const body = new URLSearchParams(fields).toString();
  const headers = {
    origin,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': `${body.length}`,
  };
  return (await fetch(link, { method: 'POST', headers, body, redirect: 'manual' })).status;
}

export async function signIn(url: string, email: string, password: string = PASSWORD): Promise<Member> {
  const answer = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`not signed in: ${answer.status} ${await answer.text()}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const ask = (method: string, path: string, body?: object, more: Readonly<Record<string, string>> = {}) =>
    asking(url, method, path, { cookie, ...more }, body);
  const { body } = await ask('GET', '/v1/team/me');
  return { id: body.id, cookie, ask };
}

export async function asking(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { origin: url, ...(text ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(text ? { body: text } : {}),
  });
  const got = await answer.text();
  return { status: answer.status, body: got === '' ? undefined : JSON.parse(got) };
}
