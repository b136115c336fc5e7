import type { Secret } from '../base/secret.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { takeKeys } from '../servers/clients/plaintext-keys.ts';
import type { Core } from './core.ts';

export interface SealedDefinition {
  readonly definition: ServerDefinition;
  /** At least one secret has another value than before. */
  readonly changed: boolean;
  /** Puts the vault back as it was: nothing came of this definition. */
  readonly undo: () => Promise<void>;
}

/** Moves readable secrets of a definition into the vault, so that the database never sees them. */
export async function sealDefinition(
  core: Pick<Core, 'vault' | 'owner'>,
  given: ServerDefinition,
): Promise<SealedDefinition> {
  const { vault, owner } = core;
  const { definition, keys } = takeKeys(given);
  const before = new Map<string, Secret | undefined>();
  let changed = false;
  for (const { name, value } of keys) {
    const old = await vault.get(owner, name);
    before.set(name, old);
    if (old?.reveal() === value.reveal()) continue;
    changed = true;
    await vault.set(owner, name, value);
  }
  return {
    definition,
    changed,
    undo: async () => {
      for (const [name, old] of before) {
        if (old) await vault.set(owner, name, old);
        else await vault.delete(owner, name);
      }
    },
  };
}
