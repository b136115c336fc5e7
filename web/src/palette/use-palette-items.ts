import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import { useHub } from '../hub/hub-context.tsx';
import { keys, useServers } from '../hub/queries.ts';
import { useToast } from '../parts/toasts.tsx';
import { fitOf } from './fuzzy.ts';
import type { PaletteItem } from './item.ts';
import { placeItems } from './place-items.ts';
import { serverItems } from './server-items.ts';

const SHOWN_MAX = 40;
const TOOLS_MAX = 12;
const PAUSE_MS = 200;

/** What fits what was typed, the best first; tools are looked up at the hub when one pauses. */
export function usePaletteItems(typed: string): readonly PaletteItem[] {
  const [, go] = useLocation();
  const hub = useHub();
  const cache = useQueryClient();
  const toast = useToast();
  const say = useRef(toast);
  say.current = toast;
  const { data } = useServers();
  const wanted = typed.trim();
  const all = useMemo(
    () => [
      ...placeItems(go),
      ...serverItems(data?.servers ?? [], {
        go,
        act: (what, work) => {
          work(hub)
            .then(
              () => say.current.good(what),
              (error: unknown) => say.current.bad(error),
            )
            .finally(() => void cache.invalidateQueries({ queryKey: keys.servers }));
        },
      }),
    ],
    [data, go, hub, cache],
  );
  const tools = useTools(wanted, go);
  return useMemo(() => bestOf([...all, ...tools], wanted), [all, tools, wanted]);
}

function bestOf(items: readonly PaletteItem[], typed: string): readonly PaletteItem[] {
  if (typed === '') return items.slice(0, SHOWN_MAX);
  return items
    .map((item) => ({ item, fit: fitOfItem(item, typed) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit)
    .slice(0, SHOWN_MAX)
    .map(({ item }) => item);
}

/** What the hub has found belongs there, even where only its description fits. */
function fitOfItem({ label, group, more = '' }: PaletteItem, typed: string): number {
  return group === 'Tools' ? Math.max(1, fitOf(label, typed), fitOf(more, typed)) : fitOf(label, typed);
}

function useTools(typed: string, go: (to: string) => void): readonly PaletteItem[] {
  const hub = useHub();
  const search = usePause(typed);
  const { data } = useQuery({
    queryKey: ['palette-tools', search],
    queryFn: () => hub.tools.list({ search }),
    select: ({ tools }) => tools.slice(0, TOOLS_MAX),
    enabled: search.length > 1,
    staleTime: 30_000,
    gcTime: 30_000,
  });
  return useMemo(
    () =>
      (search.length > 1 && search === typed ? (data ?? []) : []).map((tool) => ({
        id: `tool ${tool.ref}`,
        label: showHidden(tool.title ?? tool.name),
        group: 'Tools',
        icon: 'right',
        more: showHidden(tool.ref),
        run: () => go(places.server(tool.server, 'tools')),
      })),
    [data, go, search, typed],
  );
}

/** What was typed when the typing paused. */
function usePause(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setPaused(text), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return paused;
}
