import type { Kysely } from 'kysely';
import { PlugError } from '../../base/errors.ts';
import type { CallJournalStore } from '../../calls/audit-record.ts';
import type { ServerVersion, StoredChange, StoredSetting } from '../../servers/store.ts';
import type { StoredModel } from '../../vault/models.ts';
import type { Storage } from '../storage.ts';
import { sqlAccountStore } from './accounts.ts';
import { SqlAuditStore } from './audit.ts';
import { sqlCallJournal } from './call-journal.ts';
import { sqlConnectionStore } from './connections.ts';
import { sqlCounterStore } from './counters.ts';
import { documents } from './documents.ts';
import type { WaitingApproval } from '../../policy/store.ts';
import { sqlPolicyStore } from './policy.ts';
import { sqlRegistryStore } from './registry.ts';
import { sqlResultStore } from './results.ts';
import { columnKey } from './rows.ts';
import type { Database, Run, Scope } from './run.ts';
import { sqlServerStore } from './servers.ts';
import { sqlLearnedStore, sqlToolStore } from './tools.ts';
import { sqlVaultStore } from './vault.ts';
import { postgresWords, sqliteWords } from './registry-words.ts';
import type { Tables } from './schema.ts';

/** The stores over an open and migrated database; closing it twice is harmless. */
export function sqlStorage(options: {
  readonly kind: Storage['kind'];
  readonly db: Kysely<Tables>;
  readonly run: Run;
  readonly scope: Scope;
  /** Another way for the journal of calls than one owner at a time. */
  readonly together?: (database: Database, alone: CallJournalStore) => CallJournalStore;
  readonly close: () => Promise<void>;
}): Storage {
  const { kind, db, scope, together } = options;
  let closing: Promise<void> | undefined;
  // Checked at each attempt, so that closing also ends the wait for a lost database.
  const run: Run = (work) =>
    options.run(() => {
      if (closing) throw new PlugError('storage_failed', 'The storage is closed.', { owner: 'plugboard' });
      return work();
    });
  const database: Database = {
    own: (owner, work) => run(() => scope.one(db, columnKey(owner), work)),
    together: (owner, work) => run(() => scope.together(db, columnKey(owner), work)),
    // The type keeps it to the tables that it names.
    unowned: (work) => run(() => work(db as unknown as Parameters<typeof work>[0])),
  };
  const models = documents<StoredModel>(database, 'models', ({ name }) => name);
  const changes = documents<StoredChange>(database, 'changes', ({ id }) => id);
  const versions = documents<ServerVersion>(database, 'versions', ({ server }) => server);
  const settings = documents<StoredSetting>(database, 'settings', ({ name }) => name);
  const waiting = documents<WaitingApproval>(database, 'waiting_approvals', ({ id }) => id);
  const audit = new SqlAuditStore(database);
  const alone = sqlCallJournal(database, audit);
  const close = (): Promise<void> => (closing ??= options.close());
  return {
    kind,
    servers: sqlServerStore(database),
    connections: sqlConnectionStore(database),
    vault: sqlVaultStore(database),
    accounts: sqlAccountStore(database),
    registry: sqlRegistryStore(database, kind === 'postgres' ? postgresWords : sqliteWords),
    tools: sqlToolStore(database),
    learned: sqlLearnedStore(database),
    policy: sqlPolicyStore(database),
    audit,
    callJournal: together ? together(database, alone) : alone,
    counters: sqlCounterStore(database),
    settings: { getSetting: settings.get, putSetting: settings.put, deleteSetting: settings.delete },
    waiting: {
      listWaiting: waiting.list,
      getWaiting: waiting.get,
      putWaiting: waiting.put,
      deleteWaiting: waiting.delete,
    },
    results: sqlResultStore(database),
    changes: { listChanges: changes.list, putChange: changes.put, deleteChange: changes.delete },
    versions: { listVersions: versions.list, putVersion: versions.put, deleteVersion: versions.delete },
    models: { listModels: models.list, putModel: models.put, deleteModel: models.delete },
    close,
    [Symbol.asyncDispose]: close,
  };
}
