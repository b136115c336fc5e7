import { isObject } from '../../base/json.ts';
import { messageOf, PlugError, type Owner } from '../../base/errors.ts';
import type { Faults } from '../sql/run.ts';
import { shellWord } from '../../base/shell-words.ts';

/** Primary result codes, https://sqlite.org/rescode.html. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** Extended codes of READONLY: a crash left a journal or a write-ahead log to be played back first. */
const READONLY_RECOVERY = 264;
const READONLY_ROLLBACK = 776;

export function wantsRecovery(error: unknown): boolean {
  const code = isObject(error) ? error['errcode'] : undefined;
  return code === READONLY_RECOVERY || code === READONLY_ROLLBACK;
}

export function sqliteFaults(file: string): Faults {
  return {
    isTransient: (error) => [BUSY, LOCKED].includes(resultCode(error)),
    toPlugError: (error) => {
      const [sentence, owner, remedy] = explain(resultCode(error), file, error);
      const details = { file, sqlite: resultCode(error) };
      return new PlugError('storage_failed', sentence, { owner, remedy, details, cause: error });
    },
  };
}

/** Zero for errors that don't come from SQLite. The low byte is the primary code. */
function resultCode(error: unknown): number {
  return isObject(error) && typeof error['errcode'] === 'number' ? error['errcode'] & 0xff : 0;
}

function explain(code: number, file: string, error: unknown): [string, Owner, remedy?: string] {
  const path = shellWord(file);
  switch (code) {
    case BUSY:
    case LOCKED: {
      const remedy = `Close the program that holds it; lsof ${path} names it.`;
      return [`Another program keeps the database ${file} locked.`, 'you', remedy];
    }
    case CORRUPT:
    case NOTADB:
      return [
        `The database ${file} is damaged or isn’t an SQLite database. It was left unchanged.`,
        'you',
        `Restore it from a backup, or start afresh: mv ${path} ${shellWord(`${file}.damaged`)}`,
      ];
    case FULL:
      return [`There is no room left for the database ${file}.`, 'you', 'Free disk space.'];
    case READONLY:
    case CANTOPEN: {
      const remedy = `Check who owns it: ls -la ${path}`;
      return [`The database ${file} cannot be opened for writing.`, 'you', remedy];
    }
    default:
      return [`The database ${file} failed: ${messageOf(error)}.`, 'plugboard'];
  }
}
