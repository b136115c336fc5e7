import { nextStep } from '../../base/remedy-command.ts';
import { constants, existsSync, type Stats } from 'node:fs';
import { access, chmod, lstat, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, messageOf, type PlugError } from '../../base/errors.ts';
import type { Paths } from '../../base/paths.ts';
import { foreignPlace } from '../../base/own-places.ts';
import { isOurs } from '../../base/private-files.ts';
import { hubFiles } from '../../daemon/address.ts';
import { isLocked } from '../../daemon/lock.ts';
import type { DoctorRow, FixOutcome } from '../../hub/hub.ts';

/** Looks at what a hub needs before it can say anything itself. Starts and writes nothing. */
export async function lookWithoutHub(why: PlugError, paths: Paths): Promise<readonly DoctorRow[]> {
  const rows = await Promise.all([
    hubRow(why, paths),
    Promise.resolve(nodeRow()),
    ...[...foldersOf(paths)].map(folderRow),
    socketRow(paths),
    databaseRow(paths),
    diskRow(paths),
  ]);
  return rows.flat();
}

export async function mendWithoutHub(ids: readonly string[], paths: Paths): Promise<readonly FixOutcome[]> {
  const outcomes: FixOutcome[] = [];
  for (const id of ids) {
    try {
      outcomes.push({ id, done: true, says: await mend(id, paths) });
    } catch (error) {
      outcomes.push({ id, done: false, says: messageOf(error) });
    }
  }
  return outcomes;
}

function foldersOf({ state, data, config }: Paths): ReadonlySet<string> {
  return new Set([state, data, config]);
}

async function mend(id: string, paths: Paths): Promise<string> {
  if (id === 'remove-socket') {
    if (isHeld(paths)) throw new Error('A hub holds it after all.');
    const { socket } = hubFiles(paths);
    await rm(socket, { force: true });
    return `${socket} is removed.`;
  }
  for (const folder of foldersOf(paths)) {
    const found = await lstat(folder).catch(() => undefined); // then there is nothing to tighten
    if (found?.isDirectory() && isOurs(found.uid)) await chmod(folder, 0o700);
  }
  return 'Its folders are now private.';
}

async function hubRow(why: PlugError, paths: Paths): Promise<DoctorRow> {
  const { message: says, remedy, owner, code: cause } = why;
  const log = why.details?.['log'];
  const logged = Array.isArray(log) ? log.map(String) : [];
  const details = logged.length > 0 ? logged : await lastLines(hubFiles(paths).log);
  const held = isHeld(paths) ? ['a process holds the lock of the hub, but does not answer'] : [];
  const all = [...held, ...details].slice(-LINES_SHOWN);
  const next = nextStep(remedy ?? { do: 'start-hub', foreground: true });
  const more = all.length > 0 ? { details: all } : {};
  return { check: 'hub', status: 'fail', says, cause, owner, ...next, ...more };
}

const LINES_SHOWN = 12;
const LOG_BYTES = 16 * 1024;

async function lastLines(file: string): Promise<readonly string[]> {
  try {
    await using log = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const { size } = await log.stat();
    const position = Math.max(0, size - LOG_BYTES);
    const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(LOG_BYTES), position });
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    return lines.filter((line) => line.trim() !== '').slice(-LINES_SHOWN);
  } catch {
    return []; // no log, no lines
  }
}

function isHeld(paths: Paths): boolean {
  const { lock } = hubFiles(paths);
  try {
    return existsSync(lock) && isLocked(lock);
  } catch {
    return false; // not a lock that could be held
  }
}

/** As package.json says. */
const NODE_MIN = [22, 18] as const;

function nodeRow(): DoctorRow {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]))
    return good('runtimes', `Node ${node}.`);
  return bad('runtimes', `Node ${node} is too old: Plugboard needs ${NODE_MIN.join('.')}.`, {
    cause: 'unsupported',
    remedy: { do: 'install', program: 'Node.js', url: 'https://nodejs.org' },
  });
}

/** A hub cannot live in a folder that it may not write, and refuses one that is not its user's. */
async function folderRow(folder: string): Promise<DoctorRow> {
  const found = await lookAt(folder);
  if (found === 'absent') return good('storage', `${folder} doesn’t exist yet. The hub creates it.`);
  const remedy = { do: 'run', line: `ls -ld ${folder}` } as const;
  if (typeof found === 'string')
    return bad('storage', `${folder} cannot be looked at: ${found}.`, { remedy });
  if (!found.isDirectory() && !found.isSymbolicLink())
    return bad('storage', `${folder} isn’t a folder.`, { remedy });
  const closing = { id: 'own-folders', says: 'make its folders yours alone' };
  const foreign = foreignPlace(folder);
  if (foreign) {
    const mends = foreign.path === folder && isOurs(found.uid) ? { fix: closing } : {};
    return bad('storage', `${foreign.says}, so it is not used.`, { remedy: foreign.remedy, ...mends });
  }
  const barred = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: unknown) => error,
  );
  const mending = { remedy: { do: 'run', line: `chmod 700 ${folder}` }, fix: closing } as const;
  if (hasCode(barred, 'EROFS')) {
    const text = 'Make the disk writable, or set PLUG_HOME to a folder on another.';
    return bad('storage', `${folder} is on a disk that is read-only.`, { remedy: { do: 'say', text } });
  }
  if (barred !== undefined) return bad('storage', `${folder} cannot be written.`, mending);
  if ((found.mode & 0o077) === 0) return good('storage', `${folder} is private.`);
  return { ...bad('storage', `Other users may enter ${folder}.`, mending), status: 'warn' };
}

async function lookAt(path: string): Promise<Stats | string> {
  try {
    return await lstat(path);
  } catch (error) {
    return hasCode(error, 'ENOENT') ? 'absent' : messageOf(error);
  }
}

/** A socket left by a dead hub is replaced by the next hub; another file isn't. */
async function socketRow(paths: Paths): Promise<readonly DoctorRow[]> {
  const { socket } = hubFiles(paths);
  if (process.platform === 'win32') return [];
  const found = await lookAt(socket);
  if (found === 'absent' || typeof found === 'string' || isHeld(paths)) return [];
  const fix = { id: 'remove-socket', says: 'remove it' };
  const mending = { fix, remedy: { do: 'run', line: `rm ${socket}` } } as const;
  if (!found.isSocket()) return [bad('hub', `${socket} is in the hub’s way: it isn’t a socket.`, mending)];
  return [{ ...bad('hub', `${socket} was left behind by a stopped hub.`, mending), status: 'warn' }];
}

const SQLITE = 'SQLite format 3\0';

async function databaseRow(paths: Paths): Promise<DoctorRow> {
  const file = join(paths.data, 'plugboard.db');
  try {
    await using database = await open(file, constants.O_RDONLY);
    const { buffer, bytesRead } = await database.read({ buffer: Buffer.alloc(SQLITE.length), position: 0 });
    // A file without content becomes a database when it is first written.
    if (bytesRead === 0 || buffer.toString('latin1') === SQLITE)
      return good('storage', `${file} is a database.`);
    const text = `Bring it back from a backup, or move it away: mv ${file} ${file}.broken`;
    return bad('storage', `${file} is damaged: it isn’t an SQLite database.`, {
      remedy: { do: 'say', text },
    });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return good('storage', 'No database yet. The hub creates one.');
    const remedy = { do: 'run', line: `ls -l ${file}` } as const;
    return bad('storage', `${file} cannot be read: ${messageOf(error)}.`, { remedy });
  }
}

const DISK_FREE_BYTES_MIN = 20 * 1024 * 1024;

async function diskRow(paths: Paths): Promise<readonly DoctorRow[]> {
  const disk = await statfs(paths.state).catch(() => undefined); // the folder may not be there yet
  if (!disk || disk.bavail * disk.bsize >= DISK_FREE_BYTES_MIN) return [];
  const remedy = { do: 'run', line: `df -h ${paths.state}` } as const;
  return [bad('storage', `The disk of ${paths.state} is full.`, { remedy })];
}

function good(check: DoctorRow['check'], says: string): DoctorRow {
  return { check, status: 'pass', says };
}

function bad(
  check: DoctorRow['check'],
  says: string,
  { remedy, ...more }: Pick<DoctorRow, 'cause' | 'remedy' | 'fix'>,
): DoctorRow {
  return { check, status: 'fail', says, cause: 'storage_failed', owner: 'you', ...more, ...nextStep(remedy) };
}
