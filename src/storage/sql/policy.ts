import { assert } from '../../base/errors.ts';
import type { Grant } from '../../policy/grant.ts';
import type { PolicyStore, ServerTrust, StoredHost } from '../../policy/store.ts';
import { columnKey, excluded, fromBody, keys, toBody } from './rows.ts';
import { documents } from './documents.ts';
import { deleted, type Database, together } from './run.ts';

export function sqlPolicyStore(database: Database): PolicyStore {
  const { db, run } = database;
  const trust = documents<ServerTrust>(database, 'server_trust', ({ server }) => server);
  const hosts = documents<StoredHost>(database, 'hosts', ({ name }) => name);
  return {
    listServerTrust: trust.list,
    putServerTrust: trust.put,
    deleteServerTrust: trust.delete,
    listHosts: hosts.list,
    putHost: hosts.put,
    deleteHost: hosts.delete,

    /** In the order in which people gave them; the id decides between grants of one moment. */
    async listGrants(owner) {
      const query = db.selectFrom('grants').select('body').where(keys({ owner }));
      const rows = await run(() => query.execute());
      const grants = rows.map((row) => fromBody('grants', row.body) as Grant);
      return grants.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    },
    async putGrant(owner, grant) {
      assert(!grant.session, 'a grant of a session reached the storage');
      const [id, server] = [columnKey(grant.id), columnKey(grant.server)];
      const query = db
        .insertInto('grants')
        .values({ owner: columnKey(owner), id, server, body: toBody(grant) })
        .onConflict((conflict) => conflict.columns(['owner', 'id']).doUpdateSet(excluded('server', 'body')));
      await run(() => query.execute());
    },
    /** One statement: only one of several deletes is told that it did it. If that answer is lost, none is. */
    deleteGrant: async (owner, id) =>
      (await deleted(run, db.deleteFrom('grants').where(keys({ owner, id })))) > 0,
    /** A host that was replaced between the two statements is left as it is. */
    async noteHostUse(owner, { name, digest }, lastUsedAt) {
      const stored = await hosts.get(owner, name);
      if (stored?.digest !== digest) return false;
      const query = db
        .updateTable('hosts')
        .set({ body: toBody({ ...stored, lastUsedAt }) })
        .where(keys({ owner, name }))
        .where('body', '=', toBody(stored));
      await run(() => query.execute());
      return true;
    },
    forgetServer: (owner, server) =>
      together(database, async (db) => {
        await db.deleteFrom('grants').where(keys({ owner, server })).execute();
        await db
          .deleteFrom('server_trust')
          .where(keys({ owner, name: server }))
          .execute();
      }),
  };
}
