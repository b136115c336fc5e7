import type { CreateTableBuilder } from 'kysely';

export type SqlKind = 'sqlite' | 'postgres';

/** A primary key that the database counts up: the one thing that the two do not say alike. */
export function addGrowingKey<T extends string>(
  table: CreateTableBuilder<T>,
  name: string,
  kind: SqlKind,
): CreateTableBuilder<T> {
  return kind === 'sqlite'
    ? table.addColumn(name, 'integer', (column) => column.primaryKey().autoIncrement())
    : table.addColumn(name, 'bigserial', (column) => column.primaryKey());
}
