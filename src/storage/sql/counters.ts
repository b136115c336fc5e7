import { sql } from 'kysely';
import type { CounterStore, OwnerId } from '../../servers/store.ts';
import { columnKey } from './rows.ts';
import type { Database } from './run.ts';

interface Counted {
  readonly name: string;
  readonly span: number;
  readonly max: number;
}

/** Those of one tick that count the same. The first ones get what is left. */
interface Group {
  wanted: number;
  readonly granted: Promise<number>;
}

/** Counts of a span of time; the next span begins with nothing. */
export function sqlCounterStore(database: Database): CounterStore {
  const waiting = new Map<string, Group>();
  const running = new Map<string, Promise<unknown>>();

  /** While one group is counted, the others gather: each writer of a row would wait for the one before. */
  const groupOf = (owner: OwnerId, counted: Counted): Group => {
    const key = JSON.stringify([owner, counted.name, counted.span, counted.max]);
    const known = waiting.get(key);
    if (known) return known;
    const before = running.get(key) ?? new Promise((turn) => void setImmediate(turn));
    const granted = Promise.allSettled([before])
      .then(() => {
        waiting.delete(key);
        return add(database, owner, { ...counted, wanted: made.wanted });
      })
      .finally(() => {
        if (running.get(key) === granted) running.delete(key);
      });
    const made: Group = { wanted: 0, granted };
    waiting.set(key, made);
    running.set(key, granted);
    return made;
  };

  return {
    count: async (owner, counted) => {
      const group = groupOf(owner, counted);
      const place = group.wanted;
      group.wanted += 1;
      return (await group.granted) > place;
    },
    countOf: async (owner, { name, span }) => {
      const row = await database.own(owner, (rows) =>
        rows
          .select('counters')
          .select('count')
          .where(sql<boolean>`name = ${columnKey(name)} and span between ${span} and ${span + 1}`)
          .executeTakeFirst(),
      );
      return row?.count ?? 0;
    },
  };
}

/** Answers how many of those that are wanted may be. */
async function add(
  database: Database,
  owner: OwnerId,
  { name, span, max, wanted }: Counted & { readonly wanted: number },
): Promise<number> {
  // The clocks of replicas differ: one that is a span behind counts on, else each would begin for the other
  // anew. One that is further ahead was set wrong, and doesn't stop the count for long.
  const isNew = sql<boolean>`(counters.span < excluded.span or counters.span > excluded.span + 1)`;
  const row = await database.own(owner, (rows) =>
    rows
      .insert('counters', { name: columnKey(name), span, count: wanted })
      .onConflict((conflict) =>
        conflict
          .columns(['owner', 'name'])
          .doUpdateSet({
            span: sql<number>`case when ${isNew} then excluded.span else counters.span end`,
            count: sql<number>`case when ${isNew} then excluded.count else counters.count + excluded.count end`,
          })
          // What is refused as a whole is not counted: whoever keeps trying is let in with the next span.
          .where(sql<boolean>`${isNew} or counters.count < ${max}`),
      )
      .returning('count')
      .executeTakeFirst(),
  );
  return row === undefined ? 0 : wanted - Math.max(0, row.count - max);
}
