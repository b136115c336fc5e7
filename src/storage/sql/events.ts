import type { Kysely } from 'kysely';
import { limits } from '../../base/limits.ts';
import type { ServerEvent } from '../../connections/state.ts';
import type { EventQuery } from '../../connections/store.ts';
import { boundedCount, boundedTime } from '../order.ts';
import { fromBody, toBody } from './body.ts';
import { keyOf } from './key.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

/** Changes of state: appended, read newest first, pruned from the old end. */
export class Events {
  readonly #db: Kysely<Tables>;
  readonly #run: Run;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#db = db;
    this.#run = run;
  }

  /** An event that is there already stays as it is: an append can be repeated. */
  async append(owner: string, event: ServerEvent): Promise<void> {
    const query = this.#db
      .insertInto('events')
      .values({
        owner: keyOf(owner),
        id: keyOf(event.id),
        server: keyOf(event.server),
        at: boundedTime(event.at),
        body: toBody(event),
      })
      .onConflict((conflict) => conflict.columns(['owner', 'id']).doNothing());
    await this.#run(() => query.execute());
  }

  async list(owner: string, { server, since, limit }: EventQuery): Promise<readonly ServerEvent[]> {
    let query = this.#db.selectFrom('events').select('body').where('owner', '=', keyOf(owner));
    if (server !== undefined) query = query.where('server', '=', keyOf(server));
    if (since !== undefined) query = query.where('at', '>', boundedTime(since));
    const newest = query
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .limit(boundedCount(limit, limits.eventsListMax));
    const rows = await this.#run(() => newest.execute());
    return rows.map((row) => fromBody('events', row.body) as ServerEvent);
  }

  /** Keeps the newest `keep` of each server; answers how many went. */
  async prune(owner: string, keep: number): Promise<number> {
    const kept = boundedCount(keep, Number.MAX_SAFE_INTEGER);
    const ranked = this.#db
      .selectFrom('events')
      .select('seq')
      .select((row) =>
        row.fn
          .agg<number>('row_number')
          .over((over) => over.partitionBy('server').orderBy('at', 'desc').orderBy('seq', 'desc'))
          .as('place'),
      )
      .where('owner', '=', keyOf(owner));
    const query = this.#db
      .deleteFrom('events')
      .where('seq', 'in', (row) =>
        row.selectFrom(ranked.as('ranked')).select('ranked.seq').where('ranked.place', '>', kept),
      );
    const result = await this.#run(() => query.executeTakeFirst());
    return Number(result.numDeletedRows);
  }
}
