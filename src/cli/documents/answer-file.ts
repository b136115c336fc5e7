import { constants, type Stats } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hasCode, messageOf, type PlugError } from '../../base/errors.ts';
import { systemIds } from '../../base/ids.ts';
import { userError } from '../failures.ts';

export interface AnswerFile {
  /** Puts the whole answer there in one step; whatever was there before stays until then. */
  write(text: string): Promise<void>;
}

/** Looks whether the answer can be written there, before a model is asked and paid. */
export async function openAnswerFile(
  given: string,
  prompt: string | undefined,
  cwd: string,
): Promise<AnswerFile> {
  const target = await targetOf(resolve(cwd, given), given);
  const before = await statOf(target);
  if (before?.isDirectory()) throw refused(given, 'it is a folder');
  const folder = await statOf(dirname(target));
  if (!folder?.isDirectory()) throw refused(given, `there is no folder ${dirname(given)}`);
  const asked = prompt === undefined ? undefined : await statOf(resolve(cwd, prompt));
  // By what it is, not by its name: a link to the prompt is the prompt.
  if (before && asked && before.dev === asked.dev && before.ino === asked.ino) {
    throw refused(given, 'it is the prompt itself');
  }
  return { write: (text) => replace(target, text, { mode: before?.mode, given }) };
}

async function replace(
  target: string,
  text: string,
  { mode, given }: { readonly mode: number | undefined; readonly given: string },
): Promise<void> {
  const temporary = join(dirname(target), `.${basename(target)}.${systemIds.next('plug')}`);
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  try {
    {
      await using file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o666);
      await file.writeFile(text);
      // The umask may have taken bits away that the old file had.
      if (mode !== undefined) await file.chmod(mode & 0o777);
      await file.sync();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw refused(given, messageOf(error), error);
  }
}

/** A link stays, and what it points at is written. */
async function targetOf(path: string, given: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return path;
    throw refused(given, messageOf(error), error);
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch {
    return undefined; // what cannot be looked at is as good as absent: writing says why
  }
}

function refused(file: string, reason: string, cause?: unknown): PlugError {
  return userError('usage', `The answer cannot be written to ${file}: ${reason}.`, {
    remedy: 'Name another file with -o.',
    cause,
  });
}
