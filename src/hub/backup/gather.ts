import { join } from 'node:path';
import { readClientText } from '../../servers/clients/client-text.ts';
import type { Account } from '../../vault/store.ts';
import type { Core } from '../core.ts';
import type { Workspace } from '../workspace.ts';
import { backupLimits as limits } from './limits.ts';
import type { CarriedFile, CarriedFileName, Contents, OpenContents } from './contents.ts';

/** Everything of this hub that a backup is about, as it is kept; nothing is cleaned yet. */
export async function gather(core: Core, workspace: Workspace): Promise<Contents> {
  const { storage, owner, options } = core;
  const [servers, overrides, profiles, fileTrust, serverTrust, grants, pins, tools, models] =
    await Promise.all([
      storage.servers.listServers(owner),
      storage.servers.listOverrides(owner),
      storage.servers.listProfiles(owner),
      storage.servers.listTrust(owner),
      storage.policy.listServerTrust(owner),
      storage.policy.listGrants(owner),
      storage.tools.listPins(owner),
      storage.tools.listToolOverrides(owner),
      storage.models.listModels(owner),
    ]);
  const now = core.clock.now();
  return {
    servers: byName(servers, ({ id }) => id),
    overrides: byName(overrides, ({ server }) => server),
    profiles: byName(profiles, ({ name }) => name),
    fileTrust,
    serverTrust,
    // A grant for once would count twice: here and there.
    grants: grants.filter(
      ({ scope, until }) => scope.kind !== 'once' && (until === undefined || until > now),
    ),
    pins,
    tools,
    models,
    accounts: await accountsIn(core, workspace),
    files: await filesIn(options.paths.config),
  };
}

/** Servers that this folder knows from files which are not ours to carry. */
export function elsewhere({ servers }: Workspace): OpenContents['elsewhere'] {
  return servers.flatMap(({ definition: { id, source } }) =>
    source.kind === 'file' && source.scope !== 'user' ? [{ server: id, file: source.file ?? '' }] : [],
  );
}

async function accountsIn({ storage, owner }: Core, workspace: Workspace): Promise<readonly Account[]> {
  const ids = workspace.servers.map(({ definition: { id } }) => id);
  return (await Promise.all(ids.map((id) => storage.accounts.listAccounts(owner, id)))).flat();
}

/** A file that is not there, or that cannot be read, is not part of it. */
async function filesIn(folder: string): Promise<readonly CarriedFile[]> {
  const files: CarriedFile[] = [];
  for (const name of FILES) {
    const read = await readClientText(join(folder, name));
    if (read.kind === 'ok' && read.text.length <= limits.fileCharsMax) files.push({ name, text: read.text });
  }
  return files;
}

const FILES: readonly CarriedFileName[] = ['mcp.json', 'rules.json', 'rules.jsonc', 'registries.json'];

function byName<T>(items: readonly T[], nameOf: (item: T) => string): readonly T[] {
  return items.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}
