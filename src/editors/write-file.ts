import { mkdir, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { hasCode, PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { limits } from '../base/limits.ts';
import { readClientText, type ClientText } from '../servers/clients/client-text.ts';
import type { WrittenFile } from '../servers/clients/file-journal.ts';

type Text = Exclude<ClientText, { kind: 'unreadable' }>;

interface WriteContext {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Told before the file is touched, so that it can be undone whatever happens next. */
  readonly note: (file: Omit<WrittenFile, 'client' | 'entry'>) => Promise<void>;
}

interface Written {
  /** False when the text was already as it should be: then nothing was touched. */
  readonly changed: boolean;
  readonly backup?: string;
}

/** Replaces a file in one step, after writing a backup. A file that its owner writes meanwhile is read again. */
export async function rewriteFile(
  path: string,
  edit: (text: string) => string,
  context: WriteContext,
): Promise<Written> {
  const target = await resolveLinks(path);
  for (let attempt = 0; attempt < limits.clientEditAttemptsMax; attempt += 1) {
    const before = await readClientText(target);
    if (before.kind === 'unreadable') throw unusable(path, before.reason);
    const old = before.kind === 'ok' ? before.text : '';
    const text = edit(old);
    if (text === old) return { changed: false };
    const bytes = before.kind === 'ok' && before.bom ? `\uFEFF${text}` : text;
    const done = await replace(target, bytes, before, context);
    if (done) return done;
  }
  throw unusable(path, 'its owner keeps writing it; try again when that has settled');
}

/** Undefined when the file changed under our hands. */
async function replace(
  target: string,
  text: string,
  before: Text,
  { clock, ids, note }: WriteContext,
): Promise<Written | undefined> {
  // Our entry holds no secret, but the rest of the file may: a new file is for its owner alone.
  const mode = before.kind === 'ok' ? before.mode : 0o600;
  const bytes = before.kind === 'ok' ? bytesOf(before) : undefined;
  const file = {
    path: target,
    ...(bytes ? { before: { bytes, mode } } : {}),
    folders: await missingFolders(target),
    after: Buffer.from(text),
  };
  await note(file);
  await mkdir(dirname(target), { recursive: true });
  const noted = (backup: string): Promise<void> => note({ ...file, backup });
  const backup = bytes && (await keepCopy(target, bytes, { mode, clock, noted }));
  let done = false;
  try {
    done = await swapFile(target, file.after, { mode, before, ids });
  } finally {
    if (!done && backup !== undefined) await rm(backup, { force: true });
  }
  return done ? { changed: true, ...defined({ backup }) } : undefined;
}

/** Puts bytes in the place of a file in one step; false when somebody else wrote it meanwhile. */
export async function swapFile(
  target: string,
  bytes: Buffer,
  { mode, before, ids }: { readonly mode: number; readonly before: Text; readonly ids: Ids },
): Promise<boolean> {
  const temporary = `${target}.${ids.next(TEMPORARY)}`;
  try {
    await create(temporary, bytes, mode);
    const now = await readClientText(target);
    const same =
      now.kind === before.kind && (now.kind !== 'ok' || before.kind !== 'ok' || now.stamp === before.stamp);
    if (same) await rename(temporary, target);
    else await rm(temporary, { force: true });
    return same;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** What a name of a file of ours ends with as long as it is not in place. */
export const TEMPORARY = 'plug';

/** The very bytes of a file: its text was read without loss. */
export function bytesOf({ text, bom }: { readonly text: string; readonly bom: boolean }): Buffer {
  return Buffer.from(bom ? `\uFEFF${text}` : text);
}

/** Folders that are made with the file, outermost first. */
async function missingFolders(target: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let folder = dirname(target); folder !== dirname(folder); folder = dirname(folder)) {
    if (await stat(folder).catch(() => undefined)) break;
    missing.unshift(folder);
  }
  return missing;
}

export const BACKUP = '.plug-backup-';

interface CopyOptions {
  readonly mode: number;
  readonly clock: Clock;
  /** Told the name before there is a file of it, so that a crash leaves no copy that nobody knows of. */
  readonly noted?: (copy: string) => Promise<void>;
}

/** Two edits within one millisecond keep both copies. */
export async function keepCopy(
  target: string,
  bytes: Buffer,
  { mode, clock, noted }: CopyOptions,
): Promise<string> {
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-');
  const plain = `${target}${BACKUP}${stamp}`;
  for (let count = 1; ; count += 1) {
    const copy = count === 1 ? plain : `${plain}-${count}`;
    if (await stat(copy).catch(() => undefined)) continue;
    await noted?.(copy);
    try {
      // Whoever may read the file may not read a copy that they don't know of.
      await create(copy, bytes, mode & 0o600);
      return copy;
    } catch (error) {
      if (!hasCode(error, 'EEXIST') || count >= limits.clientFolderFilesMax) throw error;
    }
  }
}

async function create(path: string, bytes: Buffer, mode: number): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  await using file = await open(path, O_WRONLY | O_CREAT | O_EXCL, mode);
  await file.writeFile(bytes);
  // The umask may have taken bits away that the old file had.
  await file.chmod(mode);
  await file.sync();
}

/** People keep their dotfiles elsewhere: the link stays, and what it points at is written. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw unusable(path, 'its links lead nowhere');
  }
  // A link whose target does not exist yet is followed by hand; else it is a new file.
  const link = await readlink(path).catch(() => undefined);
  if (link === undefined) return path;
  const target = resolve(dirname(path), link);
  const folder = await stat(dirname(target)).catch(() => undefined);
  if (!folder?.isDirectory()) throw unusable(path, 'its links lead nowhere');
  return target;
}

function unusable(path: string, reason: string): PlugError {
  return new PlugError('bad_config', `${path} was not changed: ${reason}.`, {
    owner: 'you',
    details: { file: path },
  });
}
