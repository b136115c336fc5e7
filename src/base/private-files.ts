import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, PlugError } from './errors.ts';
import type { Ids } from './ids.ts';

/** Makes a folder that only its owner can enter, whatever the umask. Refuses another user's. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const found = await lstat(folder);
  if (!found.isDirectory() || !isOurs(found.uid)) throw notOurs(folder);
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** Closes our folder to all others; a missing one, or root's, stays as it is. */
export async function closeFolder(folder: string): Promise<void> {
  try {
    const found = await stat(folder);
    if (found.isDirectory() && isOurs(found.uid) && (found.mode & 0o077) !== 0) await chmod(folder, 0o700);
  } catch (error) {
    // On a read-only disk others can't write either.
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'EROFS')) throw error;
  }
}

/** Replaces a file in one step: a reader sees the old content or the new one, never half of it. */
export async function writePrivateFile(file: string, text: string, ids: Ids): Promise<void> {
  const temporary = `${file}.${ids.next('new')}`;
  try {
    await createPrivateFile(temporary, text);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Creates a synced file for the owner alone. Fails if the name is taken, even by a link. */
export async function createPrivateFile(file: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  await using handle = await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  await handle.chmod(0o600);
  await handle.writeFile(text);
  await handle.sync();
}

/** Reads a small file that only its owner may have touched; undefined when there is none. */
export async function readPrivateFile(file: string): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW } = constants;
  const handle = await open(file, O_RDONLY | O_NOFOLLOW).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (hasCode(error, 'ELOOP')) throw notOurs(file);
    throw error;
  });
  if (!handle) return undefined;
  await using opened = handle;
  const found = await opened.stat();
  const exposed = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
  if (!found.isFile() || !isOurs(found.uid) || exposed) throw notOurs(file);
  return opened.readFile('utf8');
}

/** Windows has no uid; there the folder of the user is private by its access list. */
export function isOurs(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

function notOurs(path: string): PlugError {
  return new PlugError('denied', `${path} is not a private file or folder of yours, so it is not used.`, {
    owner: 'you',
    remedy: `Check it (ls -ld ${path}), then remove it.`,
  });
}
