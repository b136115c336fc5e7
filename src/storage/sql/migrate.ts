import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { PlugError } from '../../base/errors.ts';
import type { SqlKind } from '../migrations/tables.ts';
import { migrationNames, migrationsFor } from '../migrations/list.ts';
import type { Tables } from './schema.ts';

/** The database as a person knows it: its file, or its address without the password. */
export interface DatabasePlace {
  readonly kind: SqlKind;
  readonly name: string;
  /** The PostgreSQL schema that holds our tables, apart from other programs' tables. */
  readonly schema?: string;
}

export type Version = 'empty' | 'older' | 'current';

/** Reads only. Refuses a database that a newer version of us has changed. */
export async function checkVersion(db: Kysely<Tables>, place: DatabasePlace): Promise<Version> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const ours = tables.filter((table) => place.schema === undefined || table.schema === place.schema);
  if (ours.length === 0) return 'empty';
  if (!ours.some((table) => table.name === DEFAULT_MIGRATION_TABLE)) throw foreignDatabase(place);
  const applied = await listApplied(db);
  const unknown = applied.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) throw newerDatabase(place, unknown);
  return applied.length === migrationNames.length ? 'current' : 'older';
}

/** Runs the missing steps. The caller makes sure that they happen together or not at all. */
export async function migrate(db: Kysely<Tables>, place: DatabasePlace): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrationsFor(place.kind)) },
    ...(place.schema === undefined ? {} : { migrationTableSchema: place.schema }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function listApplied(db: Kysely<Tables>): Promise<readonly string[]> {
  // The migrator's own table is not among ours, hence the wider type.
  const any = db as unknown as Kysely<{ [DEFAULT_MIGRATION_TABLE]: { name: string } }>;
  const rows = await any.selectFrom(DEFAULT_MIGRATION_TABLE).select('name').execute();
  return rows.map((row) => row.name);
}

function newerDatabase({ name }: DatabasePlace, unknown: readonly string[]): PlugError {
  const message = `The database ${name} was made by a newer version of Plugboard. Nothing in it was changed.`;
  const remedy = { do: 'run', line: 'npm install -g plugboard@latest' } as const;
  return new PlugError('storage_failed', message, { owner: 'you', remedy, details: { unknown } });
}

function foreignDatabase({ name }: DatabasePlace): PlugError {
  const message = `The database ${name} belongs to another program. Nothing in it was changed.`;
  return new PlugError('storage_failed', message, { owner: 'you', remedy: 'Name another database.' });
}
