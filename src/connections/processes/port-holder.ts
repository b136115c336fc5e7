import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';

export type PortHolder =
  | { readonly kind: 'free' }
  | { readonly kind: 'process'; readonly pid: number; readonly name: string }
  /** Another user's process, or a system that doesn't tell. */
  | { readonly kind: 'unknown' };

/** Who listens on a TCP port of this machine. Known on Linux only, where no program has to be installed for it. */
export async function portHolder(port: number): Promise<PortHolder> {
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(textOf));
  if (tables.every((table) => table === '')) return { kind: 'unknown' };
  const inodes = new Set(tables.flatMap((table) => listenersIn(table, port)));
  if (inodes.size === 0) return { kind: 'free' };
  const pids = (await namesIn('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  for (const pid of pids) {
    if (!(await hasSocket(pid, inodes))) continue;
    return { kind: 'process', pid, name: await programOf(pid) };
  }
  return { kind: 'unknown' };
}

/** As the person knows it: a process may call its first thread anything. */
async function programOf(pid: number): Promise<string> {
  const program = await readlink(`/proc/${pid}/exe`).catch(() => '');
  return basename(program.replace(/ \(deleted\)$/, '')) || (await textOf(`/proc/${pid}/comm`)).trim();
}

/** Inodes of the sockets that listen there: the fields are those of proc(5). */
function listenersIn(table: string, port: number): readonly string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === LISTEN && local.endsWith(end) && inode !== undefined ? [inode] : [];
  });
}

const LISTEN = '0A';

async function hasSocket(pid: number, inodes: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  for (const name of await namesIn(folder)) {
    const link = await readlink(`${folder}/${name}`).catch(() => '');
    if (inodes.has(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? '')) return true;
  }
  return false;
}

/** Empty where there is no such folder, it is another user's, or its process has just ended. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => []);
}

async function textOf(path: string): Promise<string> {
  return await readFile(path, 'latin1').catch(() => '');
}
