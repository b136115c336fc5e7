import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';

/** Kysely over Node's own SQLite. Kysely expects the shape of better-sqlite3; this gives it. */
export function sqliteDialect(database: DatabaseSync): SqliteDialect {
  const shaped: SqliteDatabase = {
    prepare: (text) => shapeStatement(database.prepare(text)),
    // Who opened the database closes it, also when Kysely never used it.
    close: () => undefined,
  };
  return new SqliteDialect({ database: shaped });
}

function shapeStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...toValues(parameters)),
    run: (parameters) => statement.run(...toValues(parameters)),
    iterate: (parameters) => statement.iterate(...toValues(parameters)),
  };
}

function toValues(parameters: readonly unknown[]): SQLInputValue[] {
  // Our tables have text, integer and null columns alone, so that nothing else is ever bound.
  return parameters as SQLInputValue[];
}
