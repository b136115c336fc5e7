import { useHubAction, useServers, keys } from '../hub/queries.ts';
import type { Approval } from '../hub/hub-context.tsx';
import type { MenuItem } from '../parts/menu.tsx';
import { useToast } from '../parts/toasts.tsx';
import type { GiveAnswer } from './use-answer.ts';

/** Trusting the server that asks. A read is allowed with it; anything else is still asked about. */
export function useTrust({ server, risk }: Approval, onAnswer: GiveAnswer): MenuItem | undefined {
  const { data } = useServers();
  const toast = useToast();
  const { mutate } = useHubAction((hub, id: string) => hub.servers.trust({ id }), [keys.servers]);
  const view = data?.servers.find(({ id }) => id === server);
  if (view?.trust !== 'none') return undefined;
  const isRead = risk === 'read';
  return {
    label: isRead ? `Trust ${view.name} and allow` : `Trust ${view.name}`,
    onChoose: () =>
      mutate(server, {
        onSuccess: () => {
          toast.good(`${view.name} is trusted.`, 'Its read-only tools run without asking.');
          if (isRead) onAnswer({ effect: 'allow' });
        },
        onError: (error) => toast.bad(error),
      }),
  };
}
