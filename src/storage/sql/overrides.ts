import type { Kysely } from 'kysely';
import type { ServerOverride } from '../../servers/store.ts';
import { sortedBy } from '../order.ts';
import { keyOf } from './key.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

/** What users decided about servers. Merging is one statement, so that parallel merges all count. */
export class Overrides {
  readonly #db: Kysely<Tables>;
  readonly #run: Run;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#db = db;
    this.#run = run;
  }

  async list(owner: string): Promise<readonly ServerOverride[]> {
    const query = this.#db
      .selectFrom('overrides')
      .select(['server', 'enabled', 'read_only', 'recorded', 'apps'])
      .where('owner', '=', keyOf(owner));
    const rows = await this.#run(() => query.execute());
    return sortedBy(rows.map(toOverride), (override) => override.server);
  }

  async merge(owner: string, { server, enabled, readOnly, recorded, apps }: ServerOverride): Promise<void> {
    const query = this.#db
      .insertInto('overrides')
      .values({
        owner: keyOf(owner),
        // A valid server id is its own key, so that it can be read back from this column.
        server: keyOf(server),
        enabled: toColumn(enabled),
        read_only: toColumn(readOnly),
        recorded: toColumn(recorded),
        apps: toColumn(apps),
      })
      .onConflict((conflict) =>
        conflict.columns(['owner', 'server']).doUpdateSet((row) => ({
          enabled: row.fn.coalesce('excluded.enabled', 'overrides.enabled'),
          read_only: row.fn.coalesce('excluded.read_only', 'overrides.read_only'),
          recorded: row.fn.coalesce('excluded.recorded', 'overrides.recorded'),
          apps: row.fn.coalesce('excluded.apps', 'overrides.apps'),
        })),
      );
    await this.#run(() => query.execute());
  }

  /** False when there was none. */
  async delete(owner: string, server: string): Promise<boolean> {
    const query = this.#db
      .deleteFrom('overrides')
      .where('owner', '=', keyOf(owner))
      .where('server', '=', keyOf(server));
    const result = await this.#run(() => query.executeTakeFirst());
    return result.numDeletedRows > 0n;
  }
}

function toOverride(row: Omit<Tables['overrides'], 'owner'>): ServerOverride {
  return {
    server: row.server,
    ...(row.enabled === null ? {} : { enabled: row.enabled !== 0 }),
    ...(row.read_only === null ? {} : { readOnly: row.read_only !== 0 }),
    ...(row.recorded === null ? {} : { recorded: row.recorded !== 0 }),
    ...(row.apps === null ? {} : { apps: row.apps !== 0 }),
  };
}

/** SQLite has no booleans. */
function toColumn(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}
