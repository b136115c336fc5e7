import { DatabaseSync } from 'node:sqlite';
import { isObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';

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

/** Does another process hold it? Holders wait for a moment, so that a look never costs them the lock. */
export function isLocked(file: string): boolean {
  using lock = takeLock(file, 0);
  return lock === undefined;
}

const SQLITE_BUSY = 5;
