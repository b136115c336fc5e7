import {
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { Hub, ServerList } from './hub-context.tsx';
import { useHub } from './hub-context.tsx';

/** What the page keeps of the hub, under one name each. */
export const keys = {
  servers: ['servers'],
  approvals: ['approvals'],
  changes: ['changes'],
  clients: ['clients'],
  grants: ['grants'],
  hosts: ['hosts'],
  models: ['models'],
  profiles: ['profiles'],
  registries: ['registries'],
  settings: ['settings'],
  status: ['status'],
  /** Below it: everything that is shown of one server alone. */
  server: (id: string): QueryKey => ['server', id],
  tools: (id: string): QueryKey => ['server', id, 'tools'],
  resources: (id: string): QueryKey => ['server', id, 'resources'],
  prompts: (id: string): QueryKey => ['server', id, 'prompts'],
  logs: (id: string): QueryKey => ['server', id, 'logs'],
  events: (id?: string): QueryKey => (id === undefined ? ['events'] : ['server', id, 'events']),
  calls: (query: object): QueryKey => ['calls', query],
} as const satisfies Record<string, QueryKey | ((...given: never[]) => QueryKey)>;

export function useServers(): UseQueryResult<ServerList> {
  return useHubQuery(keys.servers, (hub) => hub.servers.list());
}

/** Asks the hub for something and keeps it under its key until an event says that it changed. */
export function useHubQuery<T>(
  key: QueryKey,
  ask: (hub: Hub) => Promise<T>,
  options: { readonly enabled?: boolean; readonly refetchOnMount?: 'always' } = {},
): UseQueryResult<T> {
  const hub = useHub();
  return useQuery({ queryKey: key, queryFn: () => ask(hub), ...options });
}

/** Does something at the hub, then lets go of what is no longer true. */
export function useHubAction<Given, T>(
  act: (hub: Hub, given: Given) => Promise<T>,
  changes: readonly QueryKey[] = [],
): UseMutationResult<T, Error, Given> {
  const hub = useHub();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (given: Given) => act(hub, given),
    onSettled: () => Promise.all(changes.map((queryKey) => cache.invalidateQueries({ queryKey }))),
  });
}
