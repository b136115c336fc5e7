import { limits } from '../../base/limits.ts';
import type { Manifest } from '../../connections/manifest.ts';
import type { ServerEvent } from '../../connections/state.ts';
import type { ConnectionStore, ProcessRecord, Verdict } from '../../connections/store.ts';
import { boundedCount, boundedTime, columnKey, excluded, fromBody, keys, sortedBy, toBody } from './rows.ts';
import { documents } from './documents.ts';
import { deleted, type Database } from './run.ts';

export function sqlConnectionStore(database: Database): ConnectionStore {
  const { db, run } = database;
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
      const query = db
        .insertInto('events')
        .values({
          owner: columnKey(owner),
          id: columnKey(event.id),
          server: columnKey(event.server),
          at: boundedTime(event.at),
          body: toBody(event),
        })
        .onConflict((conflict) => conflict.columns(['owner', 'id']).doNothing());
      await run(() => query.execute());
    },
    async listEvents(owner, { server, since, limit }) {
      let query = db.selectFrom('events').select('body').where(keys({ owner }));
      if (server !== undefined) query = query.where(keys({ server }));
      if (since !== undefined) query = query.where('at', '>', boundedTime(since));
      const newest = query
        .orderBy('at', 'desc')
        .orderBy('seq', 'desc')
        .limit(boundedCount(limit, limits.eventsListMax));
      const rows = await run(() => newest.execute());
      return rows.map((row) => fromBody('events', row.body) as ServerEvent);
    },
    /** Keeps the newest `keep` of each server. */
    pruneEvents(owner, keep) {
      const ranked = db
        .selectFrom('events')
        .select('seq')
        .select((row) =>
          row.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('server').orderBy('at', 'desc').orderBy('seq', 'desc'))
            .as('place'),
        )
        .where(keys({ owner }))
        .as('ranked');
      const surplus = db
        .selectFrom(ranked)
        .select('ranked.seq')
        .where('ranked.place', '>', boundedCount(keep));
      return deleted(run, db.deleteFrom('events').where('seq', 'in', surplus));
    },

    /** Child processes belong to a machine and to the hub that started them, not to an owner. */
    async listProcesses() {
      const query = db.selectFrom('processes').select('body');
      const rows = await run(() => query.execute());
      const records = rows.map((row) => fromBody('processes', row.body) as ProcessRecord);
      return sortedBy(records, (record) => JSON.stringify([record.hub, record.pid]));
    },
    async putProcess(record) {
      const query = db
        .insertInto('processes')
        .values({ hub: columnKey(record.hub), pid: record.pid, body: toBody(record) })
        .onConflict((conflict) => conflict.columns(['hub', 'pid']).doUpdateSet(excluded('body')));
      await run(() => query.execute());
    },
    deleteProcess: async (hub, pid) =>
      (await deleted(run, db.deleteFrom('processes').where(keys({ hub })).where('pid', '=', pid))) > 0,
  };
}
