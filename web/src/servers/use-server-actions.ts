import { useLocation } from 'wouter';
import { useQueryClient } from '@tanstack/react-query';
import { places } from '../frame/places.ts';
import { useHub, type Hub } from '../hub/hub-context.tsx';
import { keys } from '../hub/queries.ts';
import { useToast } from '../parts/toasts.tsx';

export interface ServerActions {
  readonly start: (id: string) => Promise<void>;
  readonly stop: (id: string) => Promise<void>;
  readonly restart: (id: string) => Promise<void>;
  readonly reconnect: (id: string) => Promise<void>;
  readonly setEnabled: (id: string, enabled: boolean) => Promise<void>;
}

/** What a card and the drawer do to a server. A failure is said, with the way to its cause. */
export function useServerActions(): ServerActions {
  const hub = useHub();
  const cache = useQueryClient();
  const toast = useToast();
  const [, go] = useLocation();
  const act = async (id: string, does: (servers: Hub['servers']) => Promise<unknown>): Promise<void> => {
    try {
      await does(hub.servers);
    } catch (error) {
      toast.bad(error, { label: 'Why?', onClick: () => go(places.server(id, 'check')) });
    } finally {
      await cache.invalidateQueries({ queryKey: keys.servers });
    }
  };
  return {
    start: (id) => act(id, (servers) => servers.start({ id })),
    stop: (id) => act(id, (servers) => servers.stop({ id })),
    restart: (id) => act(id, (servers) => servers.restart({ id })),
    reconnect: (id) => act(id, (servers) => servers.reconnect({ id })),
    setEnabled: (id, enabled) =>
      act(id, (servers) => (enabled ? servers.enable({ id }) : servers.disable({ id }))),
  };
}
