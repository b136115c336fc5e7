import { sql } from 'kysely';
import type { CounterStore } from '../../servers/store.ts';
import { columnKey } from './rows.ts';
import type { Database } from './run.ts';

/** Counts of a span of time; the next span begins with nothing. */
export function sqlCounterStore(database: Database): CounterStore {
  return {
    count: (owner, { name, span, max }) =>
      database.own(owner, async (rows) => {
        const next = sql<number>`case when counters.span = excluded.span then counters.count + 1 else 1 end`;
        const row = await rows
          .insert('counters', { name: columnKey(name), span, count: 1 })
          .onConflict((conflict) =>
            conflict
              .columns(['owner', 'name'])
              .doUpdateSet({ span: sql<number>`excluded.span`, count: next })
              // What is refused is not counted: whoever keeps trying is let in with the next span.
              .where(sql<boolean>`counters.span <> excluded.span or counters.count < ${max}`),
          )
          .returning('count')
          .executeTakeFirst();
        return row !== undefined && row.count <= max;
      }),
    countOf: async (owner, { name, span }) => {
      const row = await database.own(owner, (rows) =>
        rows
          .select('counters')
          .select('count')
          .where(sql<boolean>`name = ${columnKey(name)} and span = ${span}`)
          .executeTakeFirst(),
      );
      return row?.count ?? 0;
    },
  };
}
