import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { appWords } from '../activity/call-words.ts';
import { whenIdle } from '../frame/when-idle.ts';
import { useHubEvents } from '../hub/events.tsx';
import { useHub, type AuditRecord, type AuditSummary, type HubEvent } from '../hub/hub-context.tsx';

/** How a server fared in the last day, and who used it last. */
export interface ServerDay {
  /** Hour by hour, the current one last. */
  readonly hours: readonly { readonly calls: number; readonly failures: number }[];
  readonly calls: number;
  readonly failures: number;
  readonly last?: { readonly at: number; readonly by: string };
}

const HOURS = 24;
const DAY_MS = 86_400_000;
const AGAIN_MS = 60_000;
const AFTER_CALL_MS = 2_000;
/** Looked through for who used each server last. */
const CALLS_MAX = 200;
const KEY = ['servers-day'];

/** Of all servers at once, however many there are; asked for when the cards are drawn. */
export function useDays(): ReadonlyMap<string, ServerDay> {
  const hub = useHub();
  const [wanted, setWanted] = useState(false);
  useEffect(() => whenIdle(() => setWanted(true)), []);
  const { data } = useQuery({
    queryKey: KEY,
    enabled: wanted,
    queryFn: async () => {
      const until = Date.now();
      const since = until - DAY_MS;
      const [summary, { records }] = await Promise.all([
        hub.audit.summary({ since, until, parts: HOURS }),
        hub.audit.query({ limit: CALLS_MAX }),
      ]);
      return { summary, records };
    },
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  useAfterCalls();
  return useMemo(() => (data === undefined ? new Map() : daysOf(data.summary, data.records)), [data]);
}

/** Asks again when a call has ended: at most once in a while, however many do. */
function useAfterCalls(): void {
  const cache = useQueryClient();
  const timer = useRef<number | undefined>(undefined);
  useHubEvents(
    useCallback(
      (event: HubEvent) => {
        if (event.kind !== 'call' || event.call.durationMs === undefined) return;
        timer.current ??= window.setTimeout(() => {
          timer.current = undefined;
          void cache.invalidateQueries({ queryKey: KEY });
        }, AFTER_CALL_MS);
      },
      [cache],
    ),
  );
  useEffect(() => () => window.clearTimeout(timer.current), []);
}

function daysOf({ rows }: AuditSummary, records: readonly AuditRecord[]): ReadonlyMap<string, ServerDay> {
  const hours = new Map<string, { calls: number; failures: number }[]>();
  const hoursOf = (server: string): { calls: number; failures: number }[] => {
    const known = hours.get(server) ?? Array.from({ length: HOURS }, () => ({ calls: 0, failures: 0 }));
    hours.set(server, known);
    return known;
  };
  for (const { server, part, calls, failures } of rows) hoursOf(server)[part] = { calls, failures };
  const last = new Map<string, NonNullable<ServerDay['last']>>();
  for (const { server, at, requester } of records.toReversed()) {
    hoursOf(server);
    last.set(server, { at, by: appWords(requester) });
  }
  const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);
  return new Map(
    [...hours].map(([server, each]): [string, ServerDay] => {
      const used = last.get(server);
      return [
        server,
        {
          hours: each,
          calls: sum(each.map(({ calls }) => calls)),
          failures: sum(each.map(({ failures }) => failures)),
          ...(used ? { last: used } : {}),
        },
      ];
    }),
  );
}
