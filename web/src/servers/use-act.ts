import type { QueryKey } from '@tanstack/react-query';
import type { Hub } from '../hub/hub-context.tsx';
import { useHubAction } from '../hub/queries.ts';
import { useToast } from '../parts/toasts.tsx';

export interface Acting {
  /** Does it and says how it went; what it was for may be gone from the page by then. */
  readonly act: (does: (hub: Hub) => Promise<unknown>, said?: string) => Promise<void>;
  readonly busy: boolean;
}

/** One thing after the other at the hub; a failure is said, and so is an outcome that nobody would see. */
export function useAct(changes: readonly QueryKey[]): Acting {
  const toast = useToast();
  const { mutateAsync, isPending } = useHubAction(
    (hub, does: (hub: Hub) => Promise<unknown>) => does(hub),
    changes,
  );
  const act: Acting['act'] = async (does, said) => {
    try {
      await mutateAsync(does);
      if (said !== undefined) toast.good(said);
    } catch (error) {
      toast.bad(error);
    }
  };
  return { act, busy: isPending };
}
