import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useHubEvents } from '../hub/events.tsx';
import type { HubEvent } from '../hub/hub-context.tsx';
import { keys } from '../hub/queries.ts';

const FRESH_MS = 1_000;

/** Reads the list of events again when there are new ones: once a second, however many there are. */
export function useFreshEvents(): void {
  const cache = useQueryClient();
  const timer = useRef<number | undefined>(undefined);
  useHubEvents(
    useCallback(
      (event: HubEvent) => {
        if (event.kind !== 'server-state') return;
        timer.current ??= window.setTimeout(() => {
          timer.current = undefined;
          void cache.invalidateQueries({ queryKey: keys.events() });
        }, FRESH_MS);
      },
      [cache],
    ),
  );
  useEffect(() => () => window.clearTimeout(timer.current), []);
}
