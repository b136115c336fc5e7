import { chmodSync, closeSync, constants, lstatSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { hasCode, PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { checkOwnPlace } from '../base/own-places.ts';
import { cannotWriteFile } from './cannot-write.ts';

/** Held until released or until the process ends in any way. */
export interface Lock extends Disposable {
  release(): void;
}

/**
 * Undefined when another process holds the lock, an exclusive SQLite transaction (see
 * decisions/2026-11-15-hub-lock.md). Invariant: nothing opens this file in any other way, as closing any
 * descriptor of it would drop the lock of the whole process.
 */
export function takeLock(file: string, waitMs: number = limits.hubLockWaitMs): Lock | undefined {
  let database: DatabaseSync | undefined;
  try {
    prepare(file);
    database = new DatabaseSync(file, { timeout: waitMs });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (isObject(error) && error['errcode'] === SQLITE_BUSY) return undefined;
    return cannotWriteFile(file)(error);
  }
  const held = database;
  const release = (): void => {
    if (held.isOpen) held.close();
  };
  return { release, [Symbol.dispose]: release };
}

/** Any user who can open the file can hold the lock, so it must be ours. It is not opened, see above. */
function prepare(file: string): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    // It did not exist, so it can't be locked yet.
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
    remedy: `Check it (ls -l ${file}), then remove it.`,
  });
}

/** Whether another process holds it. Takers wait a moment, so that this check never costs them the lock. */
export function isLocked(file: string): boolean {
  using lock = takeLock(file, 0);
  return lock === undefined;
}

const SQLITE_BUSY = 5;
