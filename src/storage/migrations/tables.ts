import type { CreateTableBuilder, Kysely } from 'kysely';

export type SqlKind = 'sqlite' | 'postgres';

type NewTable = CreateTableBuilder<string, string>;

/** A column is required unless its type ends in “?”. */
type Columns = Readonly<Record<string, `${'text' | 'integer' | 'bigint'}${'' | '?'}`>>;

export function newTable(db: Kysely<unknown>, name: string, columns: Columns): NewTable {
  return addColumns(db.schema.createTable(name), columns);
}

/** A table with a primary key `seq` that the database counts up: the two databases spell it differently. */
export function countedTable(db: Kysely<unknown>, kind: SqlKind, name: string, columns: Columns): NewTable {
  const type = kind === 'sqlite' ? 'integer' : 'bigserial';
  const table = db.schema
    .createTable(name)
    .addColumn('seq', type, (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
    );
  return addColumns(table, columns);
}

export function createDocuments(db: Kysely<unknown>, name: string): Promise<void> {
  return newTable(db, name, { owner: 'text', name: 'text', body: 'text' })
    .addPrimaryKeyConstraint(`${name}_key`, ['owner', 'name'])
    .execute();
}

export function createToolDocuments(db: Kysely<unknown>, name: string): Promise<void> {
  return newTable(db, name, { owner: 'text', server: 'text', tool: 'text', body: 'text' })
    .addPrimaryKeyConstraint(`${name}_key`, ['owner', 'server', 'tool'])
    .execute();
}

function addColumns(table: NewTable, columns: Columns): NewTable {
  return Object.entries(columns).reduce((built, [name, type]) => {
    const [plain] = type.split('?') as ['text' | 'integer' | 'bigint']; // as Columns spells it
    return built.addColumn(name, plain, (column) => (plain === type ? column.notNull() : column));
  }, table);
}
