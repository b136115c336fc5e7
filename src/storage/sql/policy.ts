import { assert } from '../../base/errors.ts';
import type { Grant } from '../../policy/grant.ts';
import type { PolicyStore, ServerTrust, StoredHost } from '../../policy/store.ts';
import { type Database, together } from './run.ts';
import { fromBody, columnKey, toBody } from './columns.ts';
import { documents } from './documents.ts';

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

    /** In the order in which people gave them; ids part those of one moment. */
    async listGrants(owner) {
      const query = db.selectFrom('grants').select('body').where('owner', '=', columnKey(owner));
      const rows = await run(() => query.execute());
      const grants = rows.map((row) => fromBody('grants', row.body) as Grant);
      return grants.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    },
    async putGrant(owner, grant) {
      assert(!grant.session, 'a grant of a session reached the storage');
      const { id, server } = grant;
      const query = db
        .insertInto('grants')
        .values({
          owner: columnKey(owner),
          id: columnKey(id),
          server: columnKey(server),
          body: toBody(grant),
        })
        .onConflict((conflict) =>
          conflict.columns(['owner', 'id']).doUpdateSet((row) => ({
            server: row.ref('excluded.server'),
            body: row.ref('excluded.body'),
          })),
        );
      await run(() => query.execute());
    },
    /**
     * One statement: the database sees to it that of many who delete a grant one alone is told so.
     * Where a lost connection costs us the answer, none is: the grant is gone unused.
     */
    async deleteGrant(owner, id) {
      const query = db
        .deleteFrom('grants')
        .where('owner', '=', columnKey(owner))
        .where('id', '=', columnKey(id));
      return (await run(() => query.executeTakeFirst())).numDeletedRows > 0n;
    },
    /** One that was replaced between the two statements is left as it is now. */
    async noteHostUse(owner, { name, digest }, lastUsedAt) {
      const stored = await hosts.get(owner, name);
      if (stored?.digest !== digest) return false;
      const query = db
        .updateTable('hosts')
        .set({ body: toBody({ ...stored, lastUsedAt }) })
        .where('owner', '=', columnKey(owner))
        .where('name', '=', columnKey(name))
        .where('body', '=', toBody(stored));
      await run(() => query.execute());
      return true;
    },
    forgetServer: (owner, server) =>
      together(database, async (db) => {
        const grants = db.deleteFrom('grants').where('owner', '=', columnKey(owner));
        await grants.where('server', '=', columnKey(server)).execute();
        const trusted = db.deleteFrom('server_trust').where('owner', '=', columnKey(owner));
        await trusted.where('name', '=', columnKey(server)).execute();
      }),
  };
}
