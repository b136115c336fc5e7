import { canonicalJson } from '../../base/json.ts';
import { defined } from '../../base/defined.ts';
import { ownersOf } from '../../vault/names.ts';
import type { Core } from '../core.ts';
import type { ServerSnapshot } from './change.ts';

type Stores = Pick<Core, 'storage' | 'owner'>;

/** All that is stored of a server. Its key in every table is its id: entries of project files are not ours. */
export async function snapshotOf({ storage, owner }: Stores, id: string): Promise<ServerSnapshot> {
  const [definition, overrides, trust, pins, tools, grants, accounts] = await Promise.all([
    storage.servers.getServer(owner, id),
    storage.servers.listOverrides(owner),
    storage.policy.listServerTrust(owner),
    storage.tools.listPins(owner),
    storage.tools.listToolOverrides(owner),
    storage.policy.listGrants(owner),
    storage.accounts.listAccounts(owner, id),
  ]);
  const ofServer = ({ server }: { readonly server: string }): boolean => server === id;
  return {
    ...defined({ definition, override: overrides.find(ofServer), trust: trust.find(ofServer) }),
    pins: pins.filter(ofServer),
    tools: tools.filter(ofServer),
    grants: grants.filter(ofServer),
    accounts,
  };
}

/** The versions of a server's secrets, by name. */
export async function secretsOfServers(
  { storage, owner }: Stores,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const records = await storage.vault.listRecords(owner, 'secret');
  return new Map(
    records.flatMap(({ name, version }) =>
      ids.has(ownersOf(name).server ?? '') ? [[name, version] as const] : [],
    ),
  );
}

/** Pins and the like follow from definitions and decisions: they alone make no change. */
export function sameServer(a: ServerSnapshot, b: ServerSnapshot): boolean {
  return decidedOf(a) === decidedOf(b);
}

function decidedOf({ definition, override }: ServerSnapshot): string {
  return canonicalJson({ definition: definition ?? null, override: override ?? null });
}
