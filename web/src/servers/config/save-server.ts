import type { ServerDefinition } from '../../../../src/servers/definition.ts';
import type { AddOutcome, Hub } from '../../hub/hub-context.tsx';
import { definitionOf, type Draft, type Pair } from './draft.ts';
import { vaultName } from './references.ts';

/**
 * Puts new secrets into the vault under names that are free, tries the definition and saves it. If
 * that fails everything is as it was; if it works, the secrets that were replaced are forgotten.
 */
export async function saveServer(
  hub: Hub,
  before: ServerDefinition,
  { draft, test }: { readonly draft: Draft; readonly test: boolean },
): Promise<AddOutcome> {
  const taken = new Set(await hub.secrets.list());
  const made: string[] = [];
  const keep = async (pair: Pair): Promise<Pair> => {
    if (!pair.secret || pair.value === '') return pair;
    const name = freeName(taken, `${before.id}/${plain(pair.name)}`);
    taken.add(name);
    await hub.secrets.set({ name, value: pair.value });
    made.push(name);
    return { ...pair, value: `\${vault:${name}}` };
  };
  try {
    const pairs: Pair[] = [];
    for (const pair of draft.pairs) pairs.push(await keep(pair));
    const definition = definitionOf(before, { ...draft, pairs });
    const outcome = await hub.servers.add({ definition, replace: true, test });
    await forgetReplaced(hub, before, definition);
    return outcome;
  } catch (error) {
    for (const name of made) await hub.secrets.remove({ name });
    throw error;
  }
}

async function forgetReplaced(hub: Hub, before: ServerDefinition, after: ServerDefinition): Promise<void> {
  const kept = JSON.stringify(after);
  for (const value of pairsOf(before)) {
    const name = vaultName(value);
    // A secret of another name may be shared with other servers.
    if (name?.startsWith(`${before.id}/`) && !kept.includes(`\${vault:${name}}`))
      await hub.secrets.remove({ name });
  }
}

function pairsOf({ endpoint }: ServerDefinition): readonly string[] {
  return Object.values(endpoint.kind === 'stdio' ? endpoint.env : endpoint.headers);
}

function freeName(taken: ReadonlySet<string>, wanted: string): string {
  for (let count = 2, name = wanted; ; count += 1) {
    if (!taken.has(name)) return name;
    name = `${wanted}-${count}`;
  }
}

/** What may stand in the name of a secret. */
function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.-]+/g, '-');
}
