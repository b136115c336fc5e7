import { expressionBuilder } from 'kysely';
import { limits } from '../../base/limits.ts';
import type { Manifest } from '../../connections/manifest.ts';
import type { ServerEvent } from '../../connections/state.ts';
import type { ConnectionStore, ProcessRecord, Verdict } from '../../connections/store.ts';
import { boundedCount, boundedTime, columnKey, excluded, fromBody, keys, sortedBy, toBody } from './rows.ts';
import { documents } from './documents.ts';
import { deleted, type Database } from './run.ts';

export function sqlConnectionStore(database: Database): ConnectionStore {
  const manifests = documents<Manifest>(database, 'manifests', ({ server }) => server);
  const verdicts = documents<Verdict>(database, 'verdicts', ({ server }) => server);
  return {
    listManifests: manifests.list,
    getManifest: manifests.get,
    putManifest: manifests.put,
    deleteManifest: manifests.delete,
    getVerdict: verdicts.get,
    putVerdict: verdicts.put,
    deleteVerdict: verdicts.delete,

    /** An event that is there already stays as it is: an append can be repeated. */
    async appendEvent(owner, event) {
      const row = {
        id: columnKey(event.id),
        server: columnKey(event.server),
        at: boundedTime(event.at),
        body: toBody(event),
      };
      await database.own(owner, (rows) =>
        rows
          .insert('events', row)
          .onConflict((conflict) => conflict.columns(['owner', 'id']).doNothing())
          .execute(),
      );
    },
    async listEvents(owner, { server, since, limit }) {
      const newest = await database.own(owner, (rows) => {
        let query = rows.select('events').select('body');
        if (server !== undefined) query = query.where(keys({ server }));
        if (since !== undefined) query = query.where('at', '>', boundedTime(since));
        return query
          .orderBy('at', 'desc')
          .orderBy('seq', 'desc')
          .limit(boundedCount(limit, limits.eventsListMax))
          .execute();
      });
      return newest.map((row) => fromBody('events', row.body) as ServerEvent);
    },
    /** Keeps the newest `keep` of each server. */
    pruneEvents(owner, keep) {
      return database.own(owner, (rows) => {
        const ranked = rows
          .select('events')
          .select('seq')
          .select((row) =>
            row.fn
              .agg<number>('row_number')
              .over((over) => over.partitionBy('server').orderBy('at', 'desc').orderBy('seq', 'desc'))
              .as('place'),
          )
          .as('ranked');
        // oxlint-disable-next-line typescript/no-generated-empty-object-type -- it reads no table, only these
        const surplus = expressionBuilder<Record<never, never>>()
          .selectFrom(ranked)
          .select('ranked.seq')
          .where('ranked.place', '>', boundedCount(keep));
        return deleted(rows.delete('events').where('seq', 'in', surplus));
      });
    },

    /** Child processes belong to a machine and to the hub that started them, not to an owner. */
    async listProcesses() {
      const rows = await database.unowned((db) => db.selectFrom('processes').select('body').execute());
      const records = rows.map((row) => fromBody('processes', row.body) as ProcessRecord);
      return sortedBy(records, (record) => JSON.stringify([record.hub, record.pid]));
    },
    async putProcess(record) {
      const row = { hub: columnKey(record.hub), pid: record.pid, body: toBody(record) };
      await database.unowned((db) =>
        db
          .insertInto('processes')
          .values(row)
          .onConflict((conflict) => conflict.columns(['hub', 'pid']).doUpdateSet(excluded('body')))
          .execute(),
      );
    },
    deleteProcess: async (hub, pid) =>
      (await database.unowned((db) =>
        deleted(db.deleteFrom('processes').where(keys({ hub })).where('pid', '=', pid)),
      )) > 0,
  };
}
