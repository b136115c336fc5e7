import type { FoundServer } from '../../servers/registry/merge.ts';
import type { RegistryAnswer } from '../../servers/registry/search.ts';
import { configuringLimits, cut } from './limits.ts';
import { doing, type Setup } from './setup.ts';

interface Searched {
  readonly results: readonly FoundServer[];
  readonly registries: readonly RegistryAnswer[];
}

/** What registries list under some words; one that fails is named, and the others answer. */
export function searchRegistries(setup: Setup, query: string, id?: string): Promise<Searched> {
  const says = `Searching registries for ${cut(query, configuringLimits.nameCharsMax)}`;
  return doing(setup, { tool: 'search_registry', says, ...(id === undefined ? {} : { id }) }, async () => {
    const { hub } = setup.agent;
    const found = await hub.registries.search(
      { query, limit: configuringLimits.choicesMax },
      { signal: setup.signal },
    );
    const count = found.results.length;
    return {
      value: found,
      says: count === 0 ? 'Found nothing' : `Found ${count === 1 ? '1 server' : `${count} servers`}`,
    };
  });
}
