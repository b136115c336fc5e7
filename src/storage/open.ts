import { systemClock } from '../base/clock.ts';
import { systemIds } from '../base/ids.ts';
import type { Storage, StorageOptions, StorageTiming } from './storage.ts';

export type { Storage, StorageOptions } from './storage.ts';

const SYSTEM: StorageTiming = { clock: systemClock, ids: systemIds };

/** Opens the stores and brings the database up to date. Loads only the code of the asked kind. */
export async function openStorage(options: StorageOptions, timing: StorageTiming = SYSTEM): Promise<Storage> {
  if (options.kind === 'postgres') {
    const { openPostgres } = await import('./postgres/open.ts');
    return openPostgres(options.url, timing);
  }
  const { openInMemory, openSqlite } = await import('./sqlite/open.ts');
  return options.kind === 'memory' ? openInMemory(timing) : openSqlite(options.file, timing);
}
