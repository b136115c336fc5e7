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
  /** Their connection broke. At the next connection the record said how they ended. */
  readonly foundEnded: number;
  /** Likewise, and the record said that their end is not known. */
  readonly foundUnknown: number;
  /** Likewise, and there was no record: they were never made, and were answered when they were repeated. */
  readonly repeated: number;
  readonly dispatched: number;
  readonly unrecorded: number;
  readonly twice: number;
}

/**
 * Many calls through a balancer: some reach the replica that is killed, some the other one, which hands them on
 * to it. A caller whose connection breaks looks at its next connection what became of the call.
 */
export async function loseReplica(options: {
  readonly calls: number;
  readonly atOnce: number;
  readonly balanced: Hub;
  readonly counting: CountingServer;
  readonly kill: () => Promise<void>;
  /** The number of the first call. */
  readonly from?: number;
}): Promise<LossOutcome> {
  const { calls, atOnce, balanced, counting, kill, from = 0 } = options;
  const ends = { answered: 0, refused: 0, unknown: 0, foundEnded: 0, foundUnknown: 0, repeated: 0 };
  let next = 0;
  let killed: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    for (let n = next++; n < calls; n = next++) {
      if (n === Math.floor(calls / 2)) killed = kill();
      ends[await endOfCall(balanced, from + n)] += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await killed;
  const recorded = await outcomes(balanced);
  const dispatched = [...counting.counts];
  return {
    ...ends,
    dispatched: dispatched.length,
    unrecorded: dispatched.filter(([n]) => !recorded.has(n)).length,
    twice: dispatched.filter(([, count]) => count > 1).length,
  };
}

type End = 'answered' | 'refused' | 'unknown' | 'foundEnded' | 'foundUnknown' | 'repeated';

async function endOfCall(hub: Hub, n: number): Promise<End> {
  try {
    await hub.tools.call({ tool: 'count/add_number', args: { n } });
    return 'answered';
  } catch (error) {
    if (isBroken(error)) return await endFound(hub, n);
    return (error as Error).message.includes('not known') ? 'unknown' : 'refused';
  }
}

async function endFound(hub: Hub, n: number): Promise<End> {
  const found = (await outcomesNow(hub)).get(n);
  if (found !== undefined) return found === 'unknown' ? 'foundUnknown' : 'foundEnded';
  const again = await endOfCall(hub, n);
  return again === 'answered' ? 'repeated' : again;
}

/** The process may still be dying: a connection that breaks, too, is followed by the next. */
async function outcomesNow(hub: Hub): Promise<ReadonlyMap<number, string>> {
  for (;;) {
    try {
      return await outcomes(hub);
    } catch (error) {
      if (!isBroken(error)) throw error;
    }
  }
}

function isBroken(error: unknown): boolean {
  return ['ECONNRESET', 'hub_unavailable'].includes((error as { readonly code?: string }).code ?? '');
}

async function outcomes(hub: Hub): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (let cursor: string | undefined; ;) {
    const page = await hub.audit.query({ limit: 500, ...(cursor === undefined ? {} : { cursor }) });
    for (const { args, outcome } of page.records) found.set(Number(args['n']), outcome);
    ({ cursor } = page);
    if (cursor === undefined) return found;
  }
}

/** A person whose calls ask nobody, with the server that counts; the hub is then held at this port. */
export async function readyAt(hub: Hub, url: string): Promise<void> {
  const definition = defineServer({ id: 'count', endpoint: { kind: 'http', url, headers: {} } });
  await hub.servers.add({ definition, test: false });
  await hub.policy.setDefaults({ call: { read: 'allow', write: 'allow', unknown: 'allow' } });
}
