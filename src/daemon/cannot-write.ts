import { dirname } from 'node:path';
import { hasCode, PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { shellWord } from '../base/shell-words.ts';

/** The folder can't be written: nothing of ours works, so the reason is said at once. */
export function cannotWrite(folder: string): (error: unknown) => never {
  return (error) => {
    throw notWritten(folder, error) ?? error;
  };
}

/** The same for a file that SQLite opens, which has codes of its own. */
export function cannotWriteFile(file: string): (error: unknown) => never {
  return cannotWrite(dirname(file));
}

function notWritten(folder: string, error: unknown): PlugError | undefined {
  const sqlite =
    isObject(error) && typeof error['errcode'] === 'number' ? error['errcode'] & 0xff : undefined;
  const cause = CAUSES.find(({ codes }) =>
    codes.some((code) => code === sqlite || hasCode(error, String(code))),
  );
  if (cause === undefined) return undefined;
  return new PlugError('storage_failed', `Plugboard can't write its folder ${folder}: ${cause.says}.`, {
    owner: 'you',
    remedy: cause.full
      ? `Free space on its disk, or set PLUG_HOME to a folder on another. To see how full it is: df -h ${shellWord(folder)}`
      : 'Make it writable, or set PLUG_HOME to a folder that is.',
    details: { folder },
    cause: error,
  });
}

interface Cause {
  readonly says: string;
  /** Of the system, and primary result codes of SQLite (https://sqlite.org/rescode.html). */
  readonly codes: readonly (string | number)[];
  readonly full?: true;
}

const CAUSES: readonly Cause[] = [
  { says: 'the disk is full', codes: ['ENOSPC', 13], full: true },
  { says: 'your share of the disk is used up', codes: ['EDQUOT'], full: true },
  { says: 'the disk is read-only', codes: ['EROFS', 8] },
  { says: 'you may not write there', codes: ['EACCES', 'EPERM', 14] },
];
