import type { Kysely } from 'kysely';
import type { ProcessRecord } from '../../connections/store.ts';
import { sortedBy } from '../order.ts';
import { fromBody, toBody } from './body.ts';
import { keyOf } from './key.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

/** Child processes by the hub that started them. They belong to a machine, not to an owner. */
export class Processes {
  readonly #db: Kysely<Tables>;
  readonly #run: Run;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#db = db;
    this.#run = run;
  }

  async list(): Promise<readonly ProcessRecord[]> {
    const query = this.#db.selectFrom('processes').select('body');
    const rows = await this.#run(() => query.execute());
    const records = rows.map((row) => fromBody('processes', row.body) as ProcessRecord);
    return sortedBy(records, (record) => JSON.stringify([record.hub, record.pid]));
  }

  async put(record: ProcessRecord): Promise<void> {
    const query = this.#db
      .insertInto('processes')
      .values({ hub: keyOf(record.hub), pid: record.pid, body: toBody(record) })
      .onConflict((conflict) =>
        conflict.columns(['hub', 'pid']).doUpdateSet((row) => ({ body: row.ref('excluded.body') })),
      );
    await this.#run(() => query.execute());
  }

  /** False when there was none. */
  async delete(hub: string, pid: number): Promise<boolean> {
    const query = this.#db.deleteFrom('processes').where('hub', '=', keyOf(hub)).where('pid', '=', pid);
    const result = await this.#run(() => query.executeTakeFirst());
    return result.numDeletedRows > 0n;
  }
}
