import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { SqlAuditStore } from '../../src/storage/sql/audit.ts';
import { migrate } from '../../src/storage/sql/migrate.ts';
import type { Tables } from '../../src/storage/sql/schema.ts';
import { sqliteDialect } from '../../src/storage/sqlite/open.ts';

/** For tests left of the storage: an audit in a database of its own, which is migrated at the first use. */
export class MemoryAuditStore extends SqlAuditStore {
  constructor() {
    const db = new Kysely<Tables>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) });
    let migrated: Promise<void> | undefined;
    super({
      db,
      run: async (work) => {
        await (migrated ??= migrate(db, { kind: 'sqlite', name: ':memory:' }));
        return work();
      },
    });
  }
}
