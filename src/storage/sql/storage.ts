import type { Kysely } from 'kysely';
import { PlugError } from '../../base/errors.ts';
import { CountedAccounts } from '../counted-accounts.ts';
import type { Storage } from '../storage.ts';
import { SqlAccountStore } from './accounts.ts';
import { SqlAuditStore } from './audit.ts';
import { SqlConnectionStore } from './connections.ts';
import { SqlModelStore } from './models.ts';
import { SqlLearnedStore } from './learned.ts';
import { SqlPolicyStore } from './policy.ts';
import { SqlRegistryStore } from './registry.ts';
import { SqlResultStore } from './results.ts';
import type { Run } from './run.ts';
import { postgresWords, sqliteWords } from './registry-words.ts';
import type { Tables } from './schema.ts';
import { SqlServerStore } from './servers.ts';
import { SqlToolStore } from './tools.ts';
import { SqlVaultStore } from './vault.ts';

/** The stores over an open and migrated database; closing it twice is harmless. */
export function sqlStorage(options: {
  readonly kind: Storage['kind'];
  readonly db: Kysely<Tables>;
  readonly run: Run;
  readonly close: () => Promise<void>;
}): Storage {
  const { kind, db } = options;
  let closing: Promise<void> | undefined;
  // Asked at each attempt, so that closing also ends the waiting for a lost database.
  const run: Run = (work) =>
    options.run(() => {
      if (closing) throw storageClosed();
      return work();
    });
  const close = (): Promise<void> => (closing ??= options.close());
  return {
    kind,
    servers: new SqlServerStore(db, run),
    connections: new SqlConnectionStore(db, run),
    vault: new SqlVaultStore(db, run),
    accounts: new CountedAccounts(new SqlAccountStore(db, run)),
    registry: new SqlRegistryStore(db, run, kind === 'postgres' ? postgresWords : sqliteWords),
    tools: new SqlToolStore(db, run),
    learned: new SqlLearnedStore(db, run),
    policy: new SqlPolicyStore(db, run),
    audit: new SqlAuditStore(db, run),
    results: new SqlResultStore(db, run),
    models: new SqlModelStore(db, run),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function storageClosed(): PlugError {
  return new PlugError('storage_failed', 'The storage is closed.', { owner: 'plugboard' });
}
