import { startPostgres } from '../test/contracts/postgres-server.ts';
import { readyAt, startReplicaProcess } from '../test/team/losing-replica.ts';
import { startCountingServer } from '../test/team/counting-server.ts';
import { openReplicas } from '../test/team/replicas-world.ts';
import { defineServer } from '../src/servers/definition.ts';
import { report, type Figure } from './figure.ts';
import { rssMb } from './measure.ts';
import { addPeople } from './team-people.ts';
import { closedLoop, openLoop, send, type Ask, type Lateness } from './team-load.ts';

/**
 * A team on a real PostgreSQL, with row-level security, policy and audit: what lists cost with more and
 * more people, and how many calls of hosts pass, with one replica and two.
 */
const SERVERS = 20;
const GROWTH = [100, 1_000, 10_000] as const;
const AT_ONCE = 32;
const TOOL = 'mcp__count__get_number';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const postgres = await startPostgres();
await using _ended = { [Symbol.asyncDispose]: () => postgres.stop() };
await using counting = await startCountingServer();
await using world = await openReplicas(postgres.url, 1);
const model = await world.invited('model');
await model.ask('POST', '/v1/team/keys', { name: 'bench' });
await using first = await startReplicaProcess(world);
// The one that made the team has set it up: what is measured is a process of its own.
world.balancer.targets.shift();
await world.teams[0]?.close();
const host = new URL(world.url).host;
const figures: Figure[] = [];
const keys: string[] = [];
try {
  const hub = world.hubAt(first.port, model);
  await readyAt(hub, counting.url);
  for (let n = 1; n < SERVERS; n += 1) {
    const endpoint = { kind: 'http', url: counting.url, headers: {} } as const;
    await hub.servers.add({ definition: defineServer({ id: `count-${n}`, endpoint }), test: false });
  }
  // Each server's manifest is fetched once, and copied with the person.
  for (let n = 1; n < SERVERS; n += 1)
    await hub.tools.call({ tool: `count-${n}/get_number`, args: { n: -n } });
  await hub.tools.call({ tool: 'count/get_number', args: { n: -SERVERS } });

  for (const people of GROWTH) {
    keys.push(...(await addPeople(postgres.url, { like: model.id, from: keys.length, to: people })));
    const lists = await lateness(
      `lists, ${people} people`,
      closedLoop(list(first.port), { calls: 1_000, atOnce: 8 }),
    );
    console.error(`after ${people} people one replica has ${rssMb(first.pid).toFixed(0)} MB`);
    const target = people === 1_000 ? { target: { max: 50 } } : {};
    figures.push({
      name: `a list of tools, ${people} people × ${SERVERS} servers: p95`,
      unit: 'ms',
      measured: lists.p95Ms,
      ...target,
    });
  }
  const one = await lateness(
    'calls, 32 people, 1 replica',
    closedLoop(call([first.port], AT_ONCE), { calls: 10_000, atOnce: AT_ONCE }),
  );
  const single = await lateness(
    'calls, 1 person, 1 replica',
    closedLoop(call([first.port], 1), { calls: 10_000, atOnce: AT_ONCE }),
  );
  figures.push(
    {
      name: `a team's gateway, ${AT_ONCE} people at once: time between answers`,
      unit: 'µs',
      measured: 1_000_000 / one.perSecond,
      target: { max: 667 },
    },
    {
      name: `a team's gateway, one person, ${AT_ONCE} at once: time between answers`,
      unit: 'µs',
      measured: 1_000_000 / single.perSecond,
      target: { max: 667 },
    },
  );
  for (const perSecond of [200, 400, 800, 1_200, 1_600]) {
    await lateness(
      `offered ${perSecond} calls/s`,
      openLoop(call([first.port], AT_ONCE), { perSecond, ms: 4_000 }),
    );
  }
  {
    const second = await startReplicaProcess(world);
    await using _second = second;
    const two = await lateness(
      'calls, 32 people, 2 replicas',
      closedLoop(call([first.port, second.port], AT_ONCE), { calls: 10_000, atOnce: AT_ONCE }),
    );
    figures.push({
      name: `a team's gateway, two replicas: time between answers`,
      unit: 'µs',
      measured: 1_000_000 / two.perSecond,
      floor: 1_000_000 / one.perSecond,
    });
  }
} catch (error) {
  // Said at once: what is closed on the way out takes long.
  console.error(error);
  process.exitCode = 1;
}
report(figures);

function list(port: number): Ask {
  return (n) => ask(port, keys[(n * 7_919) % keys.length] ?? '', listBody(n), 'get_number');
}

function listBody(n: number): Asking {
  return { id: n, method: 'tools/list', params: { _meta: META } };
}

/** Each person's host keeps to one replica, as behind a balancer that knows it. */
function call(ports: readonly number[], people: number): Ask {
  return (n) => {
    const person = n % people;
    const params = { name: TOOL, arguments: { n }, _meta: META };
    const asking = { id: n, method: 'tools/call', params };
    return ask(ports[person % ports.length] ?? 0, keys[person] ?? '', asking, `"text":"${n}"`);
  };
}

interface Asking {
  readonly id: number;
  readonly method: string;
  readonly params: object;
}

/** As a modern host asks, which says everything anew each time. */
function ask(port: number, key: string, asking: Asking, wanted: string): Promise<boolean> {
  const { method } = asking;
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(method === 'tools/call' ? { 'mcp-name': TOOL } : {}),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', ...asking });
  return send({ port, host, method: 'POST', path: '/mcp', headers, body }, (text) => text.includes(wanted));
}

async function lateness(name: string, measured: Promise<Lateness>): Promise<Lateness> {
  const found = await measured;
  const { calls, failures, perSecond, p50Ms, p95Ms, p99Ms } = found;
  console.error(
    `${name.padEnd(32)} ${calls} asked, ${failures} failed, ${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  );
  return found;
}
