import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { TREE_VARIABLE } from './supervisor-script.ts';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Dead, but not yet reaped by its parent. */
  readonly zombie: boolean;
}

export async function listProcesses(): Promise<readonly ProcessRow[]> {
  if (process.platform !== 'linux') return parsePs(await run('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=']));
  const rows = await Promise.all((await pids()).map(rowOf));
  return rows.filter((row) => row !== undefined);
}

/** In the platform's own unit. With the pid it names one process for ever; undefined when there is none. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const stat = statFields(await readQuietly(`/proc/${pid}/stat`));
    return stat && !isZombie(stat) ? stat[19] : undefined;
  }
  if (process.platform === 'win32') return undefined;
  return (await run('ps', ['-o', 'lstart=', '-p', String(pid)])).trim() || undefined;
}

/** Resident memory; 0 when the process is gone. */
export async function rssBytesOf(pid: number): Promise<number> {
  const kilobytes =
    process.platform === 'linux'
      ? /^VmRSS:\s*(\d+) kB/m.exec(await readQuietly(`/proc/${pid}/status`))?.[1]
      : await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(kilobytes ?? 0) * 1024;
}

/** The marker in the process's environment. Known on Linux only. */
export async function markerOf(pid: number): Promise<string | undefined> {
  const prefix = `${TREE_VARIABLE}=`;
  const entries = (await readQuietly(`/proc/${pid}/environ`)).split('\0');
  return entries.find((entry) => entry.startsWith(prefix))?.slice(prefix.length);
}

/** Also those that left the process tree. Linux only. */
export async function carriersOf(marker: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return [];
  const entry = `${TREE_VARIABLE}=${marker}`;
  return (await marked()).flatMap(({ pid, environ }) => (environ.includes(entry) ? pid : []));
}

type Marked = readonly { readonly pid: number; readonly environ: string }[];

let scanning: Promise<Marked> | undefined;
let waiting: Promise<Marked> | undefined;

/** When many servers stop at once, they share scans; a scan that began before the question does not count. */
function marked(): Promise<Marked> {
  if (!scanning) {
    scanning = scan().finally(() => {
      scanning = undefined;
    });
    return scanning;
  }
  waiting ??= scanning.then(() => {
    waiting = undefined;
    return marked();
  });
  return waiting;
}

async function scan(): Promise<Marked> {
  const all = await Promise.all(
    (await pids()).map(async (pid) => ({ pid, environ: await readQuietly(`/proc/${pid}/environ`) })),
  );
  return all.filter(({ environ }) => environ.includes(`${TREE_VARIABLE}=`));
}

async function pids(): Promise<readonly number[]> {
  const names = await readdir('/proc').catch((): string[] => []); // not every container has one
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function rowOf(pid: number): Promise<ProcessRow | undefined> {
  const stat = statFields(await readQuietly(`/proc/${pid}/stat`));
  if (!stat) return undefined;
  return { pid, parent: Number(stat[1]), group: Number(stat[2]), zombie: isZombie(stat) };
}

function isZombie(stat: readonly string[]): boolean {
  return stat[0] === 'Z' || stat[0] === 'X';
}

/** The fields from the third on: the second, the name, may hold spaces and parentheses. */
function statFields(stat: string): readonly string[] | undefined {
  const end = stat.lastIndexOf(')');
  return end < 0 ? undefined : stat.slice(end + 2).split(' ');
}

/** A process may end at any time: that is no error. */
async function readQuietly(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    return '';
  }
}

function parsePs(text: string): readonly ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, stat] = line.trim().split(/\s+/);
    const zombie = stat?.startsWith('Z') === true;
    return pid && stat ? { pid: Number(pid), parent: Number(parent), group: Number(group), zombie } : [];
  });
}

const PS_TIMEOUT_MS = 5_000;

function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, timeout: PS_TIMEOUT_MS };
    // `ps` fails and prints nothing when there is no such process.
    execFile(command, args, options, (_error, stdout) => resolve(stdout));
  });
}
