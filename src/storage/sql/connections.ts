import { limits } from '../../base/limits.ts';
import type { Manifest } from '../../connections/manifest.ts';
import type { ServerEvent } from '../../connections/state.ts';
import type { ConnectionStore, ProcessRecord, Verdict } from '../../connections/store.ts';
import { boundedCount, boundedTime, sortedBy } from '../order.ts';
import { fromBody, columnKey, toBody } from './columns.ts';
import { documents } from './documents.ts';
import type { Database } from './run.ts';

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
    ...events(database),
    ...processes(database),
  };
}

/** Changes of state: appended, read newest first, pruned from the old end. */
function events({ db, run }: Database): Pick<ConnectionStore, 'appendEvent' | 'listEvents' | 'pruneEvents'> {
  return {
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
      let query = db.selectFrom('events').select('body').where('owner', '=', columnKey(owner));
      if (server !== undefined) query = query.where('server', '=', columnKey(server));
      if (since !== undefined) query = query.where('at', '>', boundedTime(since));
      const newest = query
        .orderBy('at', 'desc')
        .orderBy('seq', 'desc')
        .limit(boundedCount(limit, limits.eventsListMax));
      const rows = await run(() => newest.execute());
      return rows.map((row) => fromBody('events', row.body) as ServerEvent);
    },
    /** Keeps the newest `keep` of each server. */
    async pruneEvents(owner, keep) {
      const kept = boundedCount(keep, Number.MAX_SAFE_INTEGER);
      const ranked = db
        .selectFrom('events')
        .select('seq')
        .select((row) =>
          row.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('server').orderBy('at', 'desc').orderBy('seq', 'desc'))
            .as('place'),
        )
        .where('owner', '=', columnKey(owner));
      const query = db
        .deleteFrom('events')
        .where('seq', 'in', (row) =>
          row.selectFrom(ranked.as('ranked')).select('ranked.seq').where('ranked.place', '>', kept),
        );
      return Number((await run(() => query.executeTakeFirst())).numDeletedRows);
    },
  };
}

/** Child processes by the hub that started them. They belong to a machine, not to an owner. */
function processes({
  db,
  run,
}: Database): Pick<ConnectionStore, 'listProcesses' | 'putProcess' | 'deleteProcess'> {
  return {
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
        .onConflict((conflict) =>
          conflict.columns(['hub', 'pid']).doUpdateSet((row) => ({ body: row.ref('excluded.body') })),
        );
      await run(() => query.execute());
    },
    async deleteProcess(hub, pid) {
      const query = db.deleteFrom('processes').where('hub', '=', columnKey(hub)).where('pid', '=', pid);
      return (await run(() => query.executeTakeFirst())).numDeletedRows > 0n;
    },
  };
}
