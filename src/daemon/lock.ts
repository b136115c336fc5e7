import { chmodSync, closeSync, constants, lstatSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { hasCode, PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { checkOwnPlace } from '../base/own-places.ts';

/** Held for as long as the process lives. The operating system releases it on any death. */
export interface Lock extends Disposable {
  release(): void;
}

/**
 * Takes the lock, or answers undefined when another process holds it. It is an exclusive SQLite
 * transaction, see decisions/2026-11-15-hub-lock.md.
 *
 * Invariant: nobody opens this file in any other way. Closing any descriptor of it would drop
 * the lock of the whole process.
 */
export function takeLock(file: string, waitMs: number = limits.hubLockWaitMs): Lock | undefined {
  prepare(file);
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isObject(error) && error['errcode'] === SQLITE_BUSY) return undefined;
    throw error;
  }
  const release = (): void => {
    if (database.isOpen) database.close();
  };
  return { release, [Symbol.dispose]: release };
}

/**
 * Any user who may open the file can hold the lock, so that it is ours alone: made here and
 * nowhere else, never through a link. One that is there is looked at and not opened, see above.
 */
function prepare(file: string): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    // Nobody can have locked it yet: it did not exist.
    closeSync(openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    checkOwnPlace(file);
    const found = lstatSync(file);
    if (!found.isFile()) throw notALock(file);
    if (process.getuid?.() === found.uid && (found.mode & 0o077) !== 0) chmodSync(file, 0o600);
  }
}

function notALock(file: string): PlugError {
  return new PlugError('denied', `${file} is not a plain file, so it cannot be the lock of the hub.`, {
    owner: 'you',
    remedy: `Look at what it is (ls -l ${file}), then remove it.`,
  });
}

/** Does another process hold it? Holders wait for a moment, so that a look never costs them the lock. */
export function isLocked(file: string): boolean {
  using lock = takeLock(file, 0);
  return lock === undefined;
}

const SQLITE_BUSY = 5;
