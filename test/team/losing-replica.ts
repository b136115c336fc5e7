import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Hub } from '../../src/hub/hub.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { freePort } from '../sign-in/free-port.ts';
import type { CountingServer } from './counting-server.ts';
import type { Replicas } from './replicas-world.ts';
import { KEYS } from './team-world.ts';

export interface ReplicaProcess extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  readonly kill: () => Promise<void>;
}

export async function startReplicaProcess({
  url,
  database,
  folder,
  balancer,
}: Replicas): Promise<ReplicaProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM, url, String(port), await folder()], {
    env: { ...process.env, ...KEYS, PLUG_DATABASE_URL: database },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  await Promise.race([once(lines, 'line'), endOf(child)]);
  balancer.targets.push(port);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { port, pid: child.pid ?? 0, kill, [Symbol.asyncDispose]: kill };
}

const PROGRAM = fileURLToPath(new URL('replica-program.ts', import.meta.url));

async function endOf(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new Error('The replica ended before it listened.');
}

export interface LossOutcome {
  readonly answered: number;
  readonly refused: number;
  /** Calls of which the caller was told that their end is not known. */
  readonly unknown: number;
  /** Calls whose connection to the killed replica broke: the caller was told by that. */
  readonly broken: number;
  readonly dispatched: number;
  readonly unrecorded: number;
  readonly twice: number;
}

/** Many calls, some through the replica that is killed, some through the other one, which hands them on to it. */
export async function loseReplica(options: {
  readonly calls: number;
  readonly atOnce: number;
  readonly through: readonly Hub[];
  readonly counting: CountingServer;
  readonly kill: () => Promise<void>;
  readonly survivor: Hub;
}): Promise<LossOutcome> {
  const { calls, atOnce, through, counting, kill, survivor } = options;
  const ends = { answered: 0, refused: 0, unknown: 0, broken: 0 };
  let next = 0;
  let killed: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    for (let n = next++; n < calls; n = next++) {
      if (n === Math.floor(calls / 2)) killed = kill();
      const hub = through[n % through.length] ?? survivor;
      ends[await endOfCall(hub, n)] += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await killed;
  const recorded = await recordedNumbers(survivor);
  const dispatched = [...counting.counts];
  return {
    ...ends,
    dispatched: dispatched.length,
    unrecorded: dispatched.filter(([n]) => !recorded.has(n)).length,
    twice: dispatched.filter(([, count]) => count > 1).length,
  };
}

async function endOfCall(hub: Hub, n: number): Promise<'answered' | 'refused' | 'unknown' | 'broken'> {
  try {
    await hub.tools.call({ tool: 'count/add_number', args: { n } });
    return 'answered';
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    if (code === 'ECONNRESET' || code === 'ECONNREFUSED' || code === 'hub_unavailable') return 'broken';
    return message.includes('not known') ? 'unknown' : 'refused';
  }
}

async function recordedNumbers(hub: Hub): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>();
  for (let cursor: string | undefined; ;) {
    const page = await hub.audit.query({ limit: 500, ...(cursor === undefined ? {} : { cursor }) });
    for (const { args } of page.records) numbers.add(Number(args['n']));
    ({ cursor } = page);
    if (cursor === undefined) return numbers;
  }
}

/** A person whose calls ask nobody, with the server that counts; the hub is then held at this port. */
export async function readyAt(hub: Hub, url: string): Promise<void> {
  const definition = defineServer({ id: 'count', endpoint: { kind: 'http', url, headers: {} } });
  await hub.servers.add({ definition, test: false });
  await hub.policy.setDefaults({ call: { read: 'allow', write: 'allow', unknown: 'allow' } });
}
