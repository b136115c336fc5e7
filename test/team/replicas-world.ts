import { request } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectHub } from '../../src/api/client.ts';
import { headersOf, type Send } from '../../src/api/send.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { jsonLogger } from '../../src/base/logger.ts';
import type { Hub } from '../../src/hub/hub.ts';
import type { TeamRole } from '../../src/hub/principal.ts';
import { runTeam, type RunningTeam, type RunTeamOptions } from '../../src/team/run-team.ts';
import { asOrdinaryRole } from '../contracts/ordinary-role.ts';
import { startBalancer, type Balancer } from './balancer.ts';
import { freePort } from '../sign-in/free-port.ts';
import { KEYS, PASSWORD, post, signIn, type Member } from './team-world.ts';

export interface Replicas extends AsyncDisposable {
  readonly balancer: Balancer;
  readonly url: string;
  readonly database: string;
  readonly owner: Member;
  /** Those of this process. */
  readonly teams: readonly RunningTeam[];
  readonly logged: readonly string[];
  /** One more replica in this process. */
  start(): Promise<{ readonly team: RunningTeam; readonly port: number }>;
  /** What a replica in a process of its own needs. */
  readonly folder: () => Promise<string>;
  invited(name: string, role?: TeamRole): Promise<Member>;
  /** Everything that a hub can, through the replica at this port, as this person. */
  hubAt(port: number, who: Member): Hub;
  /** What that replica answers to a person who asks it, or who changes something by it. */
  seenAt(port: number, who: Member, path: string, change?: object): Promise<unknown>;
}

/** Replicas behind a balancer, on one database. The address of the team is that of the balancer. */
export async function openReplicas(
  given: string,
  count: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Replicas> {
  const stack = new AsyncDisposableStack();
  await using half = new AsyncDisposableStack();
  half.use(stack);
  const balancer = stack.use(await startBalancer());
  const database = await asOrdinaryRole(given);
  const url = `http://127.0.0.1:${balancer.port}`;
  const logged: string[] = [];
  const teams: RunningTeam[] = [];
  const logger = jsonLogger({ clock: systemClock, level: 'warn', write: (line) => void logged.push(line) });
  const folder = async (): Promise<string> => {
    const made = await mkdtemp(join(tmpdir(), 'plug-replica-'));
    stack.defer(() => rm(made, { recursive: true, force: true }));
    return made;
  };
  const start = async (): Promise<{ team: RunningTeam; port: number }> => {
    const port = await freePort();
    const own = await folder();
    const options: RunTeamOptions = {
      version: '0.0.0-test',
      clock: systemClock,
      ids: systemIds,
      logger,
      database,
      url,
      port,
      paths: { config: own, data: own, state: own },
      env: { ...KEYS, ...env },
      guard: (ip) => (ip === '127.0.0.1' ? undefined : 'not in a test'),
      pageFolder: own,
    };
    const team = await runTeam(options);
    teams.push(team);
    stack.defer(() => team.close());
    balancer.targets.push(port);
    return { team, port };
  };
  // At once: their migrations meet.
  const [first] = await Promise.all(Array.from({ length: count }, start));
  await post(first?.team.setUpLink ?? '', { name: 'Olga', email: 'olga@team.test', password: PASSWORD });
  const owner = await signIn(url, 'olga@team.test');
  half.move();
  return {
    balancer,
    url,
    database,
    owner,
    teams,
    logged,
    start,
    folder,
    invited: async (name, role = 'member') => {
      const email = `${name}@team.test`;
      const { body } = await owner.ask('POST', '/v1/team/invitations', { email, role });
      await post(body.url, { name, password: PASSWORD });
      return await signIn(url, email);
    },
    hubAt: (port, { cookie }) => connectHub(sendTo(port, { host: new URL(url).host, origin: url, cookie })),
    seenAt: async (port, { cookie }, path, change) => {
      const send = sendTo(port, { host: new URL(url).host, origin: url, cookie });
      const asked = change
        ? ({ method: 'PUT', body: JSON.stringify(change) } as const)
        : ({ method: 'GET' } as const);
      const { body } = await send({ ...asked, path, accept: 'application/json' });
      return JSON.parse((await Array.fromAsync(body)).map((chunk) => Buffer.from(chunk).toString()).join(''));
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** To one replica, under the name of the team; each request has a connection of its own. */
function sendTo(port: number, headers: Readonly<Record<string, string>>): Send {
  return (given) =>
    new Promise((resolve, reject) => {
      const { method, path, body, signal } = given;
      const outgoing = request({
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        headers: {
          ...headersOf(given),
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
        ...(signal ? { signal } : {}),
      });
      outgoing.once('error', reject);
      outgoing.once('response', (incoming) => {
        incoming.on('error', () => undefined);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: (name) => [incoming.headers[name.toLowerCase()]].flat()[0],
          body: incoming,
        });
      });
      outgoing.end(body);
    });
}
