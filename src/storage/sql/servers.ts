import type { ServerDefinition } from '../../servers/definition.ts';
import type { Profile } from '../../servers/profile.ts';
import type { FileTrust, ServerOverride, ServerStore } from '../../servers/store.ts';
import { sortedBy } from '../order.ts';
import { documents } from './documents.ts';
import { columnKey } from './columns.ts';
import type { Database } from './run.ts';
import type { Tables } from './schema.ts';

export function sqlServerStore(database: Database): ServerStore {
  const { db, run } = database;
  const servers = documents<ServerDefinition>(database, 'servers', ({ id }) => id);
  const trust = documents<FileTrust>(database, 'trust', ({ file, server }) => trustName(file, server));
  const profiles = documents<Profile>(database, 'profiles', ({ name }) => name);
  return {
    listServers: servers.list,
    getServer: servers.get,
    putServer: servers.put,
    deleteServer: servers.delete,
    listTrust: trust.list,
    putTrust: trust.put,
    deleteTrust: (owner, file, server) => trust.delete(owner, trustName(file, server)),
    listProfiles: profiles.list,
    putProfile: profiles.put,
    deleteProfile: profiles.delete,

    async listOverrides(owner) {
      const query = db
        .selectFrom('overrides')
        .select(['server', 'enabled', 'read_only', 'recorded', 'apps'])
        .where('owner', '=', columnKey(owner));
      const rows = await run(() => query.execute());
      return sortedBy(rows.map(toOverride), (override) => override.server);
    },
    /** One statement, so that parallel merges all count. */
    async putOverride(owner, { server, enabled, readOnly, recorded, apps }) {
      const query = db
        .insertInto('overrides')
        .values({
          owner: columnKey(owner),
          // A valid server id is its own key, so that it can be read back from this column.
          server: columnKey(server),
          enabled: toColumn(enabled),
          read_only: toColumn(readOnly),
          recorded: toColumn(recorded),
          apps: toColumn(apps),
        })
        .onConflict((conflict) =>
          conflict.columns(['owner', 'server']).doUpdateSet((row) => ({
            enabled: row.fn.coalesce('excluded.enabled', 'overrides.enabled'),
            read_only: row.fn.coalesce('excluded.read_only', 'overrides.read_only'),
            recorded: row.fn.coalesce('excluded.recorded', 'overrides.recorded'),
            apps: row.fn.coalesce('excluded.apps', 'overrides.apps'),
          })),
        );
      await run(() => query.execute());
    },
    async deleteOverride(owner, server) {
      const ofOwner = db.deleteFrom('overrides').where('owner', '=', columnKey(owner));
      const query = ofOwner.where('server', '=', columnKey(server));
      return (await run(() => query.executeTakeFirst())).numDeletedRows > 0n;
    },
  };
}

/** JSON keeps the two apart whatever characters they hold. */
function trustName(file: string, server: string): string {
  return JSON.stringify([file, server]);
}

function toOverride(row: Omit<Tables['overrides'], 'owner'>): ServerOverride {
  return {
    server: row.server,
    ...(row.enabled === null ? {} : { enabled: row.enabled !== 0 }),
    ...(row.read_only === null ? {} : { readOnly: row.read_only !== 0 }),
    ...(row.recorded === null ? {} : { recorded: row.recorded !== 0 }),
    ...(row.apps === null ? {} : { apps: row.apps !== 0 }),
  };
}

/** SQLite has no booleans. */
function toColumn(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}
