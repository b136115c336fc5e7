import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '../../src/base/paths.ts';
import { connectHub } from '../../src/api/client.ts';
import { connectSocket } from '../../src/daemon/connect.ts';
import { readAddress } from '../../src/daemon/own-files.ts';
import { hubFiles } from '../../src/daemon/address.ts';
import type { AuditRecord, Hub } from '../../src/hub/hub.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { bin, isAlive } from '../scenarios/plug-command.ts';
import { waitFor } from '../servers/start.ts';
import { compileCache } from '../suite/compile-cache.ts';
import { programFile } from '../suite/program-file.ts';

const program = programFile('attacks/06-counting-server');

/** A server that counts what reaches it, in a file that is not below the hub's home. */
export interface Counted {
  readonly definition: ServerDefinition;
  /** The names of all calls that reached it. */
  readonly received: () => readonly string[];
}

export function countingServer(folder: string): Counted {
  const file = join(folder, 'received.txt');
  return {
    definition: defineServer({
      id: 'counted',
      endpoint: { kind: 'stdio', command: process.execPath, args: [program, file], env: {} },
    }),
    received: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []),
  };
}

/** The built hub as a process of its own, and its interface over its socket. */
export interface HubProcess {
  readonly pid: number;
  readonly hub: Hub;
  readonly child: ChildProcess;
  /** What it wrote to its standard error. */
  readonly stderr: () => string;
}

/** Calls run unasked that destroy nothing. */
export function makeHome(home: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const call = { read: 'allow', write: 'allow', unknown: 'allow' };
  writeFileSync(join(home, 'rules.json'), JSON.stringify({ defaults: { call } }), { mode: 0o600 });
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Where its files are, if not all in the home. */
  readonly paths?: Paths;
  /** What runs the hub, if not the command. */
  readonly program?: readonly string[];
  /** Runs the command line, where it is not run as it is. */
  readonly through?: readonly string[];
}

export async function startHub(home: string, options: StartOptions = {}): Promise<HubProcess> {
  const { env = { PLUG_HOME: home }, paths = { config: home, data: home, state: home } } = options;
  const [command = '', ...words] = [
    ...(options.through ?? []),
    process.execPath,
    ...(options.program ?? [bin, 'hub', 'start', '--foreground']),
  ];
  const child = spawn(command, words, {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, PLUG_NO_KEYRING: '1', ...compileCache, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const { pid = 0 } = child;
  await waitFor(async () => {
    if (child.exitCode !== null) throw new Error(`The hub ended: ${stderr}`);
    return (await readAddress(hubFiles(paths).address))?.pid === pid;
  }, 30_000);
  return { pid, hub: connectHub(connectSocket(paths)), child, stderr: () => stderr };
}

/** As `kill -9` does it, with all processes below. */
export async function killHub({ child, pid }: HubProcess, below: readonly number[] = []): Promise<void> {
  const gone = once(child, 'exit');
  for (const each of [pid, ...below]) if (isAlive(each)) process.kill(each, 'SIGKILL');
  await gone;
}

export async function stopHub({ child }: HubProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** Everything that is on record. */
export async function allRecords(hub: Pick<Hub, 'audit'>): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = await hub.audit.query({ limit: 500, ...(cursor === undefined ? {} : { cursor }) });
    records.push(...page.records);
    ({ cursor } = page);
  }
  return records;
}

/** By which a call is known to its server and in the audit. */
export function nameOf({ args: { n } }: AuditRecord): string {
  return typeof n === 'string' ? n : '';
}

/** Calls that reached the server and of which the audit knows nothing. Printed, as it is what counts. */
export function withoutRecord(
  what: string,
  received: readonly string[],
  records: readonly AuditRecord[],
): readonly string[] {
  const recorded = new Set(records.map(nameOf));
  const missing = received.filter((n) => !recorded.has(n));
  console.log(`${what}: ${received.length} dispatched, ${missing.length} without a record`);
  return missing;
}
