import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { TREE_VARIABLE } from './supervisor-script.ts';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly rssBytes: number;
  /** A zombie is dead but not yet taken note of by its parent. */
  readonly zombie: boolean;
}

/** Every process that this user may see. Linux reads /proc, other systems ask `ps`. */
export async function listProcesses(): Promise<readonly ProcessRow[]> {
  if (process.platform !== 'linux')
    return parsePs(await run('ps', ['-A', '-o', 'pid=,ppid=,pgid=,rss=,stat=']));
  const rows = await Promise.all((await pids()).map(rowOf));
  return rows.filter((row) => row !== undefined);
}

/**
 * When a process started, in the platform's own unit. A pid and its start time together name
 * one process for ever; undefined means that there is no such process.
 */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return statFields(await readQuietly(`/proc/${pid}/stat`))?.[19];
  if (process.platform === 'win32') return undefined;
  return (await run('ps', ['-o', 'lstart=', '-p', String(pid)])).trim() || undefined;
}

/** Whether the process carries the marker in its environment. Known on Linux only. */
export async function carriesMarker(pid: number, marker: string): Promise<boolean> {
  return (await readQuietly(`/proc/${pid}/environ`)).includes(`${TREE_VARIABLE}=${marker}`);
}

/** The pids that carry the marker, wherever in the process tree they have gone. Linux only. */
export async function carriersOf(marker: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return [];
  const all = await pids();
  const carries = await Promise.all(all.map((pid) => carriesMarker(pid, marker)));
  return all.filter((_, index) => carries[index]);
}

async function pids(): Promise<readonly number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function rowOf(pid: number): Promise<ProcessRow | undefined> {
  const stat = statFields(await readQuietly(`/proc/${pid}/stat`));
  if (!stat) return undefined;
  return {
    pid,
    parent: Number(stat[1]),
    group: Number(stat[2]),
    rssBytes: Number(stat[21]) * PAGE_BYTES,
    zombie: stat[0] === 'Z' || stat[0] === 'X',
  };
}

/** The kernel counts resident memory in pages; every Linux that Node runs on by default has 4 KB. */
const PAGE_BYTES = 4096;

/** The fields from the third on: the second, the name, may hold spaces and parentheses. */
function statFields(stat: string): readonly string[] | undefined {
  const end = stat.lastIndexOf(')');
  return end < 0 ? undefined : stat.slice(end + 2).split(' ');
}

/** A process may end between two looks; that is no error, it is just not there. */
async function readQuietly(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    return '';
  }
}

function parsePs(text: string): readonly ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, rss, stat] = line.trim().split(/\s+/);
    if (!pid || !stat) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      rssBytes: Number(rss) * 1024,
      zombie: stat.startsWith('Z'),
    };
  });
}

function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    // `ps` fails when there is no such process: then nothing was printed, which says it all.
    execFile(
      command,
      args,
      { env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, timeout: 5_000 },
      (_error, stdout) => resolve(stdout),
    );
  });
}
