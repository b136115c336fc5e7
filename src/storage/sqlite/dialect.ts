import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';

/** Kysely over Node's own SQLite. Kysely expects the shape of better-sqlite3; this gives it. */
export function sqliteDialect(database: DatabaseSync): SqliteDialect {
  const prepared = new Map<string, SqliteStatement>();
  const shaped: SqliteDatabase = {
    prepare: (text) => prepared.get(text) ?? keep(prepared, text, shapeStatement(database.prepare(text))),
    // Who opened the database closes it, also when Kysely never used it.
    close: () => undefined,
  };
  return new SqliteDialect({ database: shaped });
}

/** Our statements are few, and each is used again and again; the oldest goes when there are too many. */
function keep(
  prepared: Map<string, SqliteStatement>,
  text: string,
  statement: SqliteStatement,
): SqliteStatement {
  const [oldest] = prepared.keys();
  if (oldest !== undefined && prepared.size >= PREPARED_MAX) prepared.delete(oldest);
  // A statement that changes tables is used once, and those prepared before it know nothing of them. A
  // rollback may take such a change back.
  if (CHANGES_TABLES.test(text)) prepared.clear();
  else prepared.set(text, statement);
  return statement;
}

const PREPARED_MAX = 64;
const CHANGES_TABLES = /^\s*(create|alter|drop|pragma|vacuum|attach|rollback)\b/i;

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
