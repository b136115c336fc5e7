import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useHubEvents } from '../hub/events.tsx';
import { useHub, type AuditQuery, type AuditRecord, type HubEvent } from '../hub/hub-context.tsx';
import { keys } from '../hub/queries.ts';
import { SPANS, type Filters } from './filters.ts';

interface FoundCalls {
  readonly calls: readonly AuditRecord[];
  readonly error: Error | null;
  readonly isLoading: boolean;
  /** Calls that ended since; whoever reads further down is not moved. */
  readonly fresh: number;
  readonly showFresh: () => void;
  readonly more: boolean;
  readonly showMore: () => void;
}

const PAGE = 100;
const FRESH_MS = 1_000;

/** The calls that fit, page by page; new ones come by themselves as long as only the first page is shown. */
export function useCalls(filters: Filters): FoundCalls {
  const hub = useHub();
  const wanted = useDeferredValue(filters);
  const { data, error, isLoading, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: keys.calls(wanted),
    initialPageParam: '',
    queryFn: ({ pageParam }) => hub.audit.query(queryOf(wanted, pageParam)),
    getNextPageParam: ({ cursor }) => cursor,
  });
  const pages = data?.pages ?? [];
  const fresh = useFreshCalls(pages.length <= 1, refetch);
  return {
    calls: pages.flatMap(({ records }) => records),
    error,
    isLoading,
    ...fresh,
    more: hasNextPage,
    showMore: () => void fetchNextPage(),
  };
}

/** The tool may be given as `server/tool` or by its bare name: records keep the bare one. */
export function queryOf(
  { server, tool, app, outcome, span }: Filters,
  cursor: string,
  limit = PAGE,
): Partial<AuditQuery> {
  const slash = tool.indexOf('/');
  const bare = slash === -1 ? tool : tool.slice(slash + 1);
  const of = server === '' && slash > 0 ? tool.slice(0, slash) : server;
  return {
    limit,
    since: Date.now() - SPANS[span].ms,
    ...(of === '' ? {} : { server: of }),
    ...(bare.trim() === '' ? {} : { tool: bare.trim() }),
    ...(app === '' ? {} : { requester: app }),
    ...(outcome === '' ? {} : { outcome }),
    ...(cursor === '' ? {} : { cursor }),
  };
}

function useFreshCalls(
  isTop: boolean,
  refetch: () => Promise<unknown>,
): Pick<FoundCalls, 'fresh' | 'showFresh'> {
  const cache = useQueryClient();
  const [fresh, setFresh] = useState(0);
  const ended = useRef(0);
  const timer = useRef<number | undefined>(undefined);
  const top = useRef(isTop);
  top.current = isTop;
  const showFresh = useCallback(() => {
    setFresh(0);
    void refetch();
    // The figures above count the same calls.
    void cache.invalidateQueries({ queryKey: ['audit-summary'] });
  }, [refetch, cache]);
  useHubEvents(
    useCallback(
      (event: HubEvent) => {
        if (event.kind !== 'call' || event.call.durationMs === undefined) return;
        ended.current += 1;
        // However many end in this moment, the hub is asked once.
        timer.current ??= window.setTimeout(() => {
          timer.current = undefined;
          if (top.current) showFresh();
          else setFresh((count) => count + ended.current);
          ended.current = 0;
        }, FRESH_MS);
      },
      [showFresh],
    ),
  );
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return { fresh, showFresh };
}
