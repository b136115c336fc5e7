import type { DatabaseSync } from 'node:sqlite';
import { limits } from '../../base/limits.ts';

export function configure(database: DatabaseSync): void {
  // Readers and one writer do not block each other.
  database.exec('pragma journal_mode = wal');
  // In WAL mode only FULL syncs every commit: what was acknowledged survives a power cut.
  database.exec('pragma synchronous = full');
  database.exec(`pragma journal_size_limit = ${limits.sqliteJournalBytesMax}`);
  database.exec('pragma trusted_schema = off');
}
