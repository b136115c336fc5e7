import type { KeyObject } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, messageOf, PlugError } from '../base/errors.ts';
import { type Ids, secretBytes } from '../base/ids.ts';
import { limits } from '../base/limits.ts';
import { createPrivateFile, isOurs, makePrivateFolder } from '../base/private-files.ts';
import { exactShellWord } from '../base/shell-words.ts';
import { KEY_BYTES, keyFrom } from './seal.ts';

/** One file per master key: a new key never overwrites an old one. */
export function keyFilePath(folder: string, id: string): string {
  return join(folder, `${id}.key`);
}

/** Writes a new key for its owner alone. It gets its name only when it is whole and synced. */
export async function createKeyFile(folder: string, id: string, ids: Ids): Promise<KeyObject> {
  const file = keyFilePath(folder, id);
  const bytes = secretBytes(KEY_BYTES);
  try {
    await makePrivateFolder(folder);
    const temporary = join(folder, `${ids.next('new')}${TEMPORARY}`);
    await createPrivateFile(temporary, `${bytes.toString('base64')}\n`);
    // Unlike a rename, a link never replaces a file.
    await link(temporary, file);
    await rm(temporary);
    await syncFolder(folder);
    await sweep(folder, (await lstat(file)).mtimeMs);
  } catch (error) {
    if (error instanceof PlugError) throw error;
    throw new PlugError('storage_failed', `The key file ${file} cannot be made: ${messageOf(error)}.`, {
      owner: 'you',
      remedy: `Check that you may write there: ls -lad ${folder}`,
      cause: error,
    });
  }
  return keyFrom(bytes);
}

/** Undefined when there is none. Refuses a file that others could have read or written. */
export async function readKeyFile(folder: string, id: string): Promise<KeyObject | undefined> {
  const file = keyFilePath(folder, id);
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw refused(file, hasCode(error, 'ELOOP') ? 'it is a symbolic link' : messageOf(error));
  });
  if (!handle) return undefined;
  await using opened = handle;
  const found = await opened.stat();
  if (!found.isFile()) throw refused(file, 'it is not a file');
  if (!isOurs(found.uid)) throw refused(file, 'it belongs to another user');
  if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0) {
    throw refused(file, 'other users may read it', `chmod 600 ${exactShellWord(file) ?? file}`);
  }
  if (found.size > limits.masterKeyFileBytesMax) throw refused(file, 'it is too long for a key');
  const bytes = Buffer.from((await opened.readFile('latin1')).trim(), 'base64');
  if (bytes.length !== KEY_BYTES) throw refused(file, `it does not hold ${KEY_BYTES} bytes in base64`);
  return keyFrom(bytes);
}

export async function deleteKeyFile(folder: string, id: string): Promise<void> {
  await rm(keyFilePath(folder, id), { force: true });
}

const OTHERS = 0o077;
const TEMPORARY = '.key-being-made';
const STALE_MS = 60_000;

/** Removes leftovers of a crash; a fresh file may belong to another process. */
async function sweep(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(TEMPORARY)) continue;
    const file = join(folder, name);
    const found = await lstat(file).catch(() => undefined); // swept by another process
    if (found && nowMs - found.mtimeMs > STALE_MS) await rm(file, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // a folder cannot be opened there
  await using handle = await open(folder, constants.O_RDONLY);
  await handle.sync();
}

function refused(path: string, why: string, line?: string): PlugError {
  const look = `ls -ld ${exactShellWord(path) ?? path}`;
  return new PlugError('denied', `The vault's key ${path} is not used: ${why}.`, {
    owner: 'you',
    remedy: { do: 'run', line: line ?? look },
    details: { file: path },
  });
}
