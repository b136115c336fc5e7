import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { PlugError, type ErrorView } from '../../../src/base/errors.ts';

/** Requests about the team itself, which are no operations of a hub. */
export async function askTeam<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const answer = await fetch(path, {
    method,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  if (answer.ok) return value as T; // the hub's own answer
  throw PlugError.fromView((value as { readonly error: ErrorView }).error);
}

interface TeamQuery {
  /** Asked again while it is shown: what others do comes by no event. */
  readonly everyMs?: number;
}

export function useTeam<T>(path: string, { everyMs }: TeamQuery = {}): UseQueryResult<T> {
  const queryKey = ['team', path];
  // No event tells what others change: it is asked again with every visit.
  const always = { refetchOnMount: 'always', refetchInterval: everyMs ?? false } as const;
  return useQuery({ queryKey, queryFn: () => askTeam<T>('GET', path), ...always });
}

interface TeamRequest {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Changes something, then asks for everything about the team again. */
export function useTeamAction<T>(): UseMutationResult<T, Error, TeamRequest> {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body, headers }: TeamRequest) => askTeam<T>(method, path, body, headers),
    onSettled: () => cache.invalidateQueries(),
  });
}
