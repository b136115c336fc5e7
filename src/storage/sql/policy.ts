import { assert } from '../../base/errors.ts';
import type { Grant } from '../../policy/grant.ts';
import type { PolicyStore, ServerTrust, StoredHost } from '../../policy/store.ts';
import { columnKey, excluded, fromBody, keys, toBody } from './rows.ts';
import { documents } from './documents.ts';
import { deleted, type Database } from './run.ts';

export function sqlPolicyStore(database: Database): PolicyStore {
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
      const stored = await database.own(owner, (rows) => rows.select('grants').select('body').execute());
      const grants = stored.map((row) => fromBody('grants', row.body) as Grant);
      return grants.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    },
    async putGrant(owner, grant) {
      assert(!grant.session, 'a grant of a session reached the storage');
      const row = { id: columnKey(grant.id), server: columnKey(grant.server), body: toBody(grant) };
      await database.own(owner, (rows) =>
        rows
          .insert('grants', row)
          .onConflict((conflict) => conflict.columns(['owner', 'id']).doUpdateSet(excluded('server', 'body')))
          .execute(),
      );
    },
    /** One statement: only one of several deletes is told that it did it. If that answer is lost, none is. */
    deleteGrant: async (owner, id) =>
      (await database.own(owner, (rows) => deleted(rows.delete('grants').where(keys({ id }))))) > 0,
    /** A host that was replaced between the two statements is left as it is. */
    async noteHostUse(owner, { name, digest }, lastUsedAt) {
      const stored = await hosts.get(owner, name);
      if (stored?.digest !== digest) return false;
      await database.own(owner, (rows) =>
        rows
          .update('hosts')
          .set({ body: toBody({ ...stored, lastUsedAt }) })
          .where(keys({ name }))
          .where('body', '=', toBody(stored))
          .execute(),
      );
      return true;
    },
    forgetServer: (owner, server) =>
      database.together(owner, async (rows) => {
        await rows.delete('grants').where(keys({ server })).execute();
        await rows
          .delete('server_trust')
          .where(keys({ name: server }))
          .execute();
      }),
  };
}
