import { mkdir, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { hasCode, PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { limits } from '../base/limits.ts';
import { readClientText, type ClientText } from '../servers/clients/client-text.ts';

interface WriteContext {
  readonly clock: Clock;
  readonly ids: Ids;
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
  before: Exclude<ClientText, { kind: 'unreadable' }>,
  { clock, ids }: WriteContext,
): Promise<Written | undefined> {
  await mkdir(dirname(target), { recursive: true });
  // Our entry holds no secret, but the rest of the file may: a new file is for its owner alone.
  const mode = before.kind === 'ok' ? before.mode : 0o600;
  const temporary = `${target}.${ids.next('plug')}`;
  let backup: string | undefined;
  try {
    await create(temporary, text, mode);
    if (before.kind === 'ok') {
      backup = await keepCopy(target, before.bom ? `\uFEFF${before.text}` : before.text, { mode, clock });
    }
    const now = await readClientText(target);
    const same =
      now.kind === before.kind && (now.kind !== 'ok' || before.kind !== 'ok' || now.stamp === before.stamp);
    if (!same) {
      await rm(temporary, { force: true });
      if (backup !== undefined) await rm(backup, { force: true });
      return undefined;
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return { changed: true, ...defined({ backup }) };
}

/** Two edits within one millisecond keep both copies. */
async function keepCopy(
  target: string,
  text: string,
  { mode, clock }: { readonly mode: number; readonly clock: Clock },
): Promise<string> {
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-');
  const plain = `${target}.plug-backup-${stamp}`;
  for (let count = 1; ; count += 1) {
    const copy = count === 1 ? plain : `${plain}-${count}`;
    try {
      await create(copy, text, mode);
      return copy;
    } catch (error) {
      if (!hasCode(error, 'EEXIST') || count >= limits.clientFolderFilesMax) throw error;
    }
  }
}

async function create(path: string, text: string, mode: number): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  await using file = await open(path, O_WRONLY | O_CREAT | O_EXCL, mode);
  await file.writeFile(text);
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
