import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createServersAndConnections } from './0001-servers-and-connections.ts';
import { createRegistryIndex } from './0002-registry-index.ts';
import { createVault } from './0003-vault.ts';
import { createCatalogPolicyCalls } from './0004-catalog-policy-calls.ts';
import { addAppsAndFigures } from './0007-apps-and-figures.ts';
import { moveOwnFields } from './0008-own-fields.ts';
import { chainAudit } from './0009-audit-chain.ts';
import { giveVaultOwners } from './0015-vault-of-owners.ts';
import { addReplicas } from './0016-replicas.ts';
import { addCounters } from './0017-counters.ts';
import { addWriteCalls } from './0018-calls-of-many-owners.ts';
import { createDocuments, createToolDocuments, type SqlKind } from './tables.ts';

type Step = (db: Kysely<unknown>, kind: SqlKind) => Promise<void>;

/** In the order of their names. A step that was released is never edited: add another one. */
const STEPS: Readonly<Record<string, Step>> = {
  '0001-servers-and-connections': createServersAndConnections,
  '0002-registry-index': createRegistryIndex,
  '0003-vault': createVault,
  '0004-catalog-policy-calls': createCatalogPolicyCalls,
  '0005-models': (db) => createDocuments(db, 'models'),
  '0006-learned-outputs': (db) => createToolDocuments(db, 'learned_outputs'),
  '0007-apps-and-figures': addAppsAndFigures,
  '0008-own-fields': moveOwnFields,
  '0009-audit-chain': chainAudit,
  '0010-hosts': (db) => createDocuments(db, 'hosts'),
  '0011-installed-versions': (db) => db.schema.alterTable('overrides').addColumn('package', 'text').execute(),
  '0012-changes': (db) => createDocuments(db, 'changes'),
  '0013-versions': (db) => createDocuments(db, 'versions'),
  '0014-learned-queries': (db) => createToolDocuments(db, 'learned_queries'),
  '0015-vault-of-owners': giveVaultOwners,
  '0016-replicas': addReplicas,
  '0017-counters': addCounters,
  '0018-calls-of-many-owners': addWriteCalls,
  '0019-waiting-approvals': (db) => createDocuments(db, 'waiting_approvals'),
};

export const migrationNames: readonly string[] = Object.keys(STEPS);

/** The steps as Kysely's migrator takes them. There is no way down: that is what backups are for. */
export function migrationsFor(kind: SqlKind): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [name, { up: (db: Kysely<unknown>) => step(db, kind) }]),
  );
}
