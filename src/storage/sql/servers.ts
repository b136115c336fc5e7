import { defined } from '../../base/defined.ts';
import type { PackageRef, ServerDefinition } from '../../servers/definition.ts';
import type { Profile } from '../../servers/profile.ts';
import type { FileTrust, ServerStore } from '../../servers/store.ts';
import { columnKey, keys, sortedBy } from './rows.ts';
import { documents } from './documents.ts';
import { deleted, type Database } from './run.ts';

export function sqlServerStore(database: Database): ServerStore {
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
      const stored = await database.own(owner, (rows) => rows.select('overrides').selectAll().execute());
      const overrides = stored.map((row) => ({
        server: row.server,
        ...defined({
          enabled: fromColumn(row.enabled),
          readOnly: fromColumn(row.read_only),
          recorded: fromColumn(row.recorded),
          apps: fromColumn(row.apps),
          package: row.package === null ? undefined : (JSON.parse(row.package) as PackageRef), // as it was put
        }),
      }));
      return sortedBy(overrides, ({ server }) => server);
    },
    /** One statement, so that parallel merges all count. */
    async putOverride(owner, { server, enabled, readOnly, recorded, apps, package: pinned }) {
      const override = {
        // A valid server id is its own key, so that it can be read back from this column.
        server: columnKey(server),
        enabled: toColumn(enabled),
        read_only: toColumn(readOnly),
        recorded: toColumn(recorded),
        apps: toColumn(apps),
        package: pinned === undefined ? null : JSON.stringify(pinned),
      };
      await database.own(owner, (rows) =>
        rows
          .insert('overrides', override)
          .onConflict((conflict) =>
            conflict.columns(['owner', 'server']).doUpdateSet((row) => ({
              enabled: row.fn.coalesce('excluded.enabled', 'overrides.enabled'),
              read_only: row.fn.coalesce('excluded.read_only', 'overrides.read_only'),
              recorded: row.fn.coalesce('excluded.recorded', 'overrides.recorded'),
              apps: row.fn.coalesce('excluded.apps', 'overrides.apps'),
              package: row.fn.coalesce('excluded.package', 'overrides.package'),
            })),
          )
          .execute(),
      );
    },
    deleteOverride: async (owner, server) =>
      (await database.own(owner, (rows) => deleted(rows.delete('overrides').where(keys({ server }))))) > 0,
  };
}

/** JSON separates the two whatever characters they hold. */
function trustName(file: string, server: string): string {
  return JSON.stringify([file, server]);
}

/** SQLite has no booleans. */
function toColumn(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}

function fromColumn(value: number | null): boolean | undefined {
  return value === null ? undefined : value !== 0;
}
