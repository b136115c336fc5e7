import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { SqlAuditStore } from '../../src/storage/sql/audit.ts';
import { migrate } from '../../src/storage/sql/migrate.ts';
import type { Tables } from '../../src/storage/sql/schema.ts';
import { columnKey } from '../../src/storage/sql/rows.ts';
import { sqliteDialect, sqliteScope } from '../../src/storage/sqlite/open.ts';

/** For tests left of the storage: an audit in a database of its own, which is migrated at the first use. */
export class MemoryAuditStore extends SqlAuditStore {
  constructor() {
    const db = new Kysely<Tables>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) });
    let migrated: Promise<void> | undefined;
    const ready = (): Promise<void> => (migrated ??= migrate(db, { kind: 'sqlite', name: ':memory:' }));
    super({
      own: async (owner, work) => {
        await ready();
        return sqliteScope.one(db, columnKey(owner), work);
      },
      together: async (owner, work) => {
        await ready();
        return sqliteScope.together(db, columnKey(owner), work);
      },
      unowned: () => Promise.reject(new Error('An audit has an owner.')),
    });
  }
}
