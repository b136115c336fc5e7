import { messageOf } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { checkSecretName } from '../../vault/names.ts';
import type { Core } from '../core.ts';
import type { SealedContents } from './contents.ts';
import type { Step } from './step.ts';

/** Secrets, each under the name that it had. They are sealed anew, under the key of this vault. */
export async function secretSteps(
  { vault, owner }: Core,
  secrets: SealedContents['secrets'],
): Promise<readonly Step[]> {
  if (secrets.length === 0) return [];
  // Before anything is done: with a locked vault none of it could be.
  await vault.checkUnlocked();
  return Promise.all(
    secrets.map(async ({ name, value }): Promise<Step> => {
      const impossible = problemOf(name);
      const known = impossible === undefined ? await vault.get(owner, name) : undefined;
      return {
        thing: { kind: 'secret', name },
        here: known === undefined ? 'absent' : known.reveal() === value ? 'same' : 'taken',
        ...(impossible === undefined ? {} : { impossible }),
        apply: () => vault.set(owner, name, new Secret(value)),
      };
    }),
  );
}

function problemOf(name: string): string | undefined {
  try {
    checkSecretName(name);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
