import type { UseMutationResult } from '@tanstack/react-query';
import type { ServerDefinition } from '../../../src/servers/definition.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { keys, useHubAction } from '../hub/queries.ts';
import { useToast } from '../parts/toasts.tsx';
import type { Mended } from './mend-definition.ts';

/** What is put right: secrets alone, or the definition, which is tried first and saved if it works. */
export type Mending =
  | { readonly kind: 'secrets'; readonly secrets: Readonly<Record<string, string>> }
  | { readonly kind: 'definition'; readonly change: (before: ServerDefinition) => Mended };

/** Puts a server right and starts it. A failure stays in the form, with what was typed. */
export function useMend({ id, name }: ServerView): UseMutationResult<unknown, Error, Mending> {
  const toast = useToast();
  const mend = useHubAction(
    async (hub, mending: Mending) => {
      if (mending.kind === 'secrets') {
        for (const [secret, value] of Object.entries(mending.secrets)) {
          await hub.secrets.set({ name: secret, value });
        }
        await hub.servers.restart({ id });
      } else {
        const { definition, secrets } = mending.change(await hub.servers.definition({ id }));
        await hub.servers.add({ definition, secrets, replace: true, test: true });
      }
      toast.good(`${name} is ready.`);
    },
    [keys.servers, keys.server(id)],
  );
  return mend;
}
