import type { ServerDefinition } from '../../../../src/servers/definition.ts';
import type { AddOutcome, Hub } from '../../hub/hub-context.tsx';
import { definitionOf, type Draft, type Pair } from './draft.ts';

/** New secrets go along with the definition: both are saved if it works, and neither if it does not. */
export async function saveServer(
  hub: Hub,
  before: ServerDefinition,
  { draft, test }: { readonly draft: Draft; readonly test: boolean },
): Promise<AddOutcome> {
  const secrets: Record<string, string> = {};
  const pairs = draft.pairs.map((pair): Pair => {
    if (!pair.secret || pair.value === '') return pair;
    const name = `${before.id}/${plain(pair.name)}`;
    secrets[name] = pair.value;
    return { ...pair, value: `\${vault:${name}}` };
  });
  const definition = definitionOf(before, { ...draft, pairs });
  return hub.servers.add({ definition, secrets, replace: true, test });
}

/** What may stand in the name of a secret. */
function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.-]+/g, '-');
}
