import type { Kysely } from 'kysely';
import { sortedBy } from '../order.ts';
import { batchesOf, together } from './batches.ts';
import { fromBody, toBody } from './body.ts';
import { keyOf } from './key.ts';
import type { Run } from './run.ts';
import type { Tables, ToolTable, ToolTableName } from './schema.ts';

interface OfTool {
  readonly server: string;
  readonly tool: string;
}

/** One owned thing for each tool of a server. A table holds Ts because putAll() takes Ts only. */
export class ToolDocuments<T extends OfTool> {
  readonly #db: Kysely<Tables>;
  readonly #run: Run;
  readonly #table: ToolTableName;

  constructor(db: Kysely<Tables>, run: Run, table: ToolTableName) {
    this.#db = db;
    this.#run = run;
    this.#table = table;
  }

  async list(owner: string): Promise<readonly T[]> {
    const query = this.#db.selectFrom(this.#table).select('body').where('owner', '=', keyOf(owner));
    const rows = await this.#run(() => query.execute());
    const values = rows.map((row) => fromBody(this.#table, row.body) as T);
    return sortedBy(values, ({ server, tool }) => JSON.stringify([server, tool]));
  }

  /** Inserts or replaces, all or none. */
  async putAll(owner: string, values: readonly T[]): Promise<void> {
    const rows = rowsOf(owner, values);
    if (rows.length === 0) return;
    await together({ db: this.#db, run: this.#run }, async (db) => {
      for (const batch of batchesOf(rows)) {
        await db
          .insertInto(this.#table)
          .values(batch)
          .onConflict((conflict) =>
            conflict
              .columns(['owner', 'server', 'tool'])
              .doUpdateSet((row) => ({ body: row.ref('excluded.body') })),
          )
          .execute();
      }
    });
  }

  /** All of a server, or those of the named tools; answers how many went. */
  async delete(owner: string, server: string, tools?: readonly string[]): Promise<number> {
    const ofServer = this.#db
      .deleteFrom(this.#table)
      .where('owner', '=', keyOf(owner))
      .where('server', '=', keyOf(server));
    const queries = tools
      ? batchesOf(tools).map((batch) => ofServer.where('tool', 'in', batch.map(keyOf)))
      : [ofServer];
    let gone = 0;
    for (const query of queries) {
      gone += Number((await this.#run(() => query.executeTakeFirst())).numDeletedRows);
    }
    return gone;
  }
}

/**
 * Two rows of one key in one statement would be refused; the later one counts. In one order, so
 * that two writers never wait for each other.
 */
function rowsOf(owner: string, values: readonly OfTool[]): readonly ToolTable[] {
  const byKey = new Map<string, ToolTable>();
  for (const value of values) {
    const [server, tool] = [keyOf(value.server), keyOf(value.tool)];
    byKey.set(JSON.stringify([server, tool]), { owner: keyOf(owner), server, tool, body: toBody(value) });
  }
  return sortedBy([...byKey], ([key]) => key).map(([, row]) => row);
}
