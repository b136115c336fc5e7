import {
  CompiledQuery,
  type DeleteQueryBuilder,
  type DeleteResult,
  type Insertable,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type QueryExecutorProvider,
  type QueryResult,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import type { Tables } from './schema.ts';

/** The tables whose rows belong to a person or an organization. */
export type OwnedTable = {
  [Name in keyof Tables]: Tables[Name] extends { readonly owner: string } ? Name : never;
}[keyof Tables];

/** A query sees its own table alone: a join would bring in rows of other owners. */
type Only<Name extends OwnedTable> = Pick<Tables, Name>;

type NewRow<Name extends OwnedTable> = Omit<Insertable<Tables[Name]>, 'owner'>;

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- nothing is selected yet
type Nothing = Record<never, never>;

/**
 * The tables as one owner sees them. The stores get nothing else, so that no statement of theirs can be
 * without an owner. `owner` stands without its table: a join with another table of ours is ambiguous, and fails.
 */
export class OwnRows {
  readonly #db: Kysely<Tables>;
  /** As the column has it, see `columnKey`. */
  readonly owner: string;

  constructor(db: Kysely<Tables>, owner: string) {
    this.#db = db;
    this.owner = owner;
  }

  // Kysely can't work out these types for a table that is only named: each answers what it would for one.

  select<Name extends OwnedTable>(table: Name): SelectQueryBuilder<Only<Name>, Name, Nothing> {
    const query: unknown = this.#db.selectFrom(table as 'servers').where(this.#own());
    return query as SelectQueryBuilder<Only<Name>, Name, Nothing>;
  }

  insert<Name extends OwnedTable>(
    table: Name,
    rows: NewRow<Name> | readonly NewRow<Name>[],
  ): InsertQueryBuilder<Only<Name>, Name, InsertResult> {
    const given = (Array.isArray(rows) ? rows : [rows]) as readonly object[];
    // The owner comes last: a row that brought one along would not keep it.
    const values = given.map((row) => ({ ...row, owner: this.owner }));
    const query = this.#db.insertInto(table as 'servers').values(values as never);
    return query as unknown as InsertQueryBuilder<Only<Name>, Name, InsertResult>;
  }

  update<Name extends OwnedTable>(table: Name): UpdateQueryBuilder<Only<Name>, Name, Name, UpdateResult> {
    const query = this.#db.updateTable(table as 'servers').where(this.#own());
    return query as unknown as UpdateQueryBuilder<Only<Name>, Name, Name, UpdateResult>;
  }

  delete<Name extends OwnedTable>(table: Name): DeleteQueryBuilder<Only<Name>, Name, DeleteResult> {
    const query = this.#db.deleteFrom(table as 'servers').where(this.#own());
    return query as unknown as DeleteQueryBuilder<Only<Name>, Name, DeleteResult>;
  }

  /** For text that the builder can't write: it has to name `owner` by itself. */
  get executor(): QueryExecutorProvider {
    return this.#db;
  }

  /** A statement of this class that was compiled before. */
  executeCompiled(text: string, values: unknown[]): Promise<QueryResult<unknown>> {
    return this.#db.executeQuery(CompiledQuery.raw(text, values));
  }

  #own() {
    return sql<SqlBool>`owner = ${this.owner}`;
  }
}
