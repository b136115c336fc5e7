import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../test/contracts/postgres-server.ts';
import { readyAt, startReplicaProcess } from '../test/team/losing-replica.ts';
import { openReplicas } from '../test/team/replicas-world.ts';
import { defineServer } from '../src/servers/definition.ts';
import { report, type Figure } from './figure.ts';
import { rssMb } from './measure.ts';
import { Costs, type Cost } from './team-cost.ts';
import { addPeople } from './team-people.ts';
import { Generator, type Ask, type Lateness } from './team-load.ts';

/**
 * A team on a real PostgreSQL that waits for the disk, with row-level security, policy and audit: how many
 * calls of hosts pass, with one replica and two, and what lists cost with more and more people. All of it
 * shares this machine: the CPU that each process took stands beside each figure.
 *
 * `node bench/team.ts [--calls] [--lists] [--quick]`
 */
const quick = process.argv.includes('--quick');
const only = ['--calls', '--lists'].filter((word) => process.argv.includes(word));
const wants = (part: '--calls' | '--lists'): boolean => only.length === 0 || only.includes(part);
const SERVERS = 20;
const GROWTH = quick ? [100] : [100, 1_000, 10_000];
const CALLS = quick ? 2_000 : 10_000;
const OFFERED = quick ? [200, 800] : [200, 400, 800, 1_200, 1_600, 2_000];
const AT_ONCE = 32;
/** Lists a second, as if each of 1,000 people asked every 40 seconds. */
const PACE = 25;
const TOOL = 'mcp__count__get_number';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const postgres = await startPostgres({ durable: true });
await using _ended = { [Symbol.asyncDispose]: () => postgres.stop() };
await using counting = await startServerProcess();
await using world = await openReplicas(postgres.url, 1);
await using costs = await Costs.open(postgres.url, counting.pid);
using generator = new Generator();
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
  await addServers();
  await grow(AT_ONCE);
  if (wants('--calls')) await measureCalls();
  if (wants('--lists')) await measureLists();
} catch (error) {
  // Said at once: what is closed on the way out takes long.
  console.error(error);
  process.exitCode = 1;
}
console.error(`${generator.connections} connections were opened`);
for (const [problem, times] of generator.problems) console.error(`${times} × ${problem}`);
report(figures);

async function addServers(): Promise<void> {
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
}

async function grow(people: number): Promise<void> {
  keys.push(...(await addPeople(postgres.url, { like: model.id, from: keys.length, to: people })));
}

async function measureCalls(): Promise<void> {
  const calls = { calls: CALLS, atOnce: AT_ONCE };
  const run = (people: number, ports: readonly number[]) => generator.closedLoop(call(ports, people), calls);
  // The first calls open the hubs of the people, and the code is compiled meanwhile.
  await lateness('warm-up', [first.pid], () => run(AT_ONCE, [first.port]));
  const one = await lateness('calls, 32 people, 1 replica', [first.pid], () => run(AT_ONCE, [first.port]));
  const single = await lateness('calls, 1 person, 1 replica', [first.pid], () => run(1, [first.port]));
  figures.push(
    between(`a team's gateway, ${AT_ONCE} people at once`, one, { target: { max: 667 } }),
    between(`a team's gateway, one person, ${AT_ONCE} at once`, single, { target: { max: 667 } }),
  );
  for (const perSecond of OFFERED) {
    await lateness(`offered ${perSecond} calls/s`, [first.pid], () =>
      generator.openLoop(call([first.port], AT_ONCE), { perSecond, ms: 4_000 }),
    );
  }
  await using second = await startReplicaProcess(world);
  const two = [first.pid, second.pid];
  // Those who come to the second replica are at the first: it lets them go when nobody uses them.
  await lateness('calls, 32 people, 2 replicas', two, () => run(AT_ONCE, [first.port, second.port]));
  await grow(2 * AT_ONCE);
  const fresh = (n: number) => call([first.port, second.port], AT_ONCE, AT_ONCE)(n);
  await lateness('warm-up', two, () => generator.closedLoop(fresh, calls));
  const both = await lateness('calls, 32 others, 2 replicas', two, () => generator.closedLoop(fresh, calls));
  const floor = 1_000_000 / one.perSecond;
  figures.push(between(`a team's gateway, two replicas`, both, { floor }));
}

/** Most who ask have been away: their hub is opened for the list, and that of another one closed. */
async function measureLists(): Promise<void> {
  let before: { readonly people: number; readonly mb: number } | undefined;
  for (const people of GROWTH) {
    await grow(people);
    const crowd = await lateness(`lists, ${people} people, 8 at once`, [first.pid], () =>
      generator.closedLoop(list(first.port), { calls: quick ? 300 : 2_000, atOnce: 8 }),
    );
    const paced = await lateness(`lists, ${people} people, ${PACE}/s`, [first.pid], () =>
      generator.openLoop(list(first.port), { perSecond: PACE, ms: 8_000 }),
    );
    const now = { people, mb: rssMb(first.pid) };
    console.error(`with ${people} people one replica has ${now.mb.toFixed(0)} MB`);
    const name = `a list of tools, ${people} people × ${SERVERS} servers`;
    const target = people === 1_000 ? { target: { max: 50 } } : {};
    figures.push(
      { name: `${name}, 8 at once: p95`, unit: 'ms', measured: crowd.p95Ms, ...target },
      { name: `${name}, ${PACE} a second: p95`, unit: 'ms', measured: paced.p95Ms, ...target },
    );
    if (before) {
      const measured = ((now.mb - before.mb) * 1_024) / (people - before.people);
      const more = `memory for each person more, ${before.people} to ${people}`;
      figures.push({ name: more, unit: 'kB', measured, target: { max: 50 } });
    }
    before = now;
  }
}

function between(
  name: string,
  { perSecond }: Lateness,
  more: Pick<Figure, 'target'> | Pick<Figure, 'floor'>,
): Figure {
  return { name: `${name}: time between answers`, unit: 'µs', measured: 1_000_000 / perSecond, ...more };
}

function list(port: number): Ask {
  return (n) => {
    const key = keys[(n * 7_919) % keys.length] ?? '';
    const request = asked(key, { id: n, method: 'tools/list', params: { _meta: META } });
    return { port, request, wanted: 'get_number' };
  };
}

/** Each person's host keeps to one replica, as behind a balancer that knows it. */
function call(ports: readonly number[], people: number, from = 0): Ask {
  return (n) => {
    const person = n % people;
    const params = { name: TOOL, arguments: { n }, _meta: META };
    const request = asked(keys[from + person] ?? '', { id: n, method: 'tools/call', params });
    return { port: ports[person % ports.length] ?? 0, request, wanted: `"text":"${n}"` };
  };
}

interface Asking {
  readonly id: number;
  readonly method: string;
  readonly params: object;
}

/** As a modern host asks, which says everything anew each time. */
function asked(key: string, asking: Asking): string {
  const { method } = asking;
  const body = JSON.stringify({ jsonrpc: '2.0', ...asking });
  const name = method === 'tools/call' ? `mcp-name: ${TOOL}\r\n` : '';
  return `POST /mcp HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: ${method}\r\n${name}content-length: ${body.length}\r\n\r\n${body}`;
}

async function lateness(
  name: string,
  hubs: readonly number[],
  measure: () => Promise<Lateness>,
): Promise<Lateness> {
  const [found, cost] = await costs.of(hubs, measure);
  const { calls, failures, perSecond, p50Ms, p95Ms, p99Ms } = found;
  console.error(
    `${name.padEnd(30)} ${calls} asked, ${failures} failed, ${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  );
  console.error(`${' '.repeat(30)} ${costText(cost, hubs.length)}`);
  return found;
}

/** One process uses one core: what its CPU for a call leaves room for is what it could answer alone. */
function costText({ hubMs, postgresMs, serverMs, generatorMs, commits, syncs }: Cost, hubs: number): string {
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  const room = `room for ${Math.round((1_000 * hubs) / hubMs)}/s`;
  return `CPU a request: hub ${ms(hubMs)} (${room}), PostgreSQL ${ms(postgresMs)}, server ${ms(serverMs)}, generator ${ms(generatorMs)}; ${commits.toFixed(2)} commits, ${syncs.toFixed(2)} syncs`;
}

async function startServerProcess() {
  const child = spawn(process.execPath, [fileURLToPath(new URL('team-server.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = await once(createInterface(child.stdout), 'line');
  const end = async (): Promise<void> => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { url: String(url), pid: child.pid ?? 0, [Symbol.asyncDispose]: end };
}
