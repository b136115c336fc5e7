import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useHub, type ServerView } from '../hub/hub-context.tsx';
import { keys } from '../hub/queries.ts';

/**
 * The hub counts what tools cost a model when somebody looks at them. For cards in sight that is
 * now: one after the other, each once, and never a server whose list alone would be heavy.
 */
export function useTokenCounts(inSight: readonly ServerView[]): void {
  const hub = useHub();
  const cache = useQueryClient();
  const asked = useRef(new Set<string>());
  const busy = useRef(false);
  useEffect(() => {
    const uncounted = inSight.filter(
      ({ id, tokens, toolsOffered, toolCount }) =>
        tokens === undefined && toolsOffered > 0 && toolCount <= TOOLS_MAX && !asked.current.has(id),
    );
    if (uncounted.length === 0 || busy.current) return;
    const count = async (): Promise<void> => {
      busy.current = true;
      for (const { id } of uncounted) {
        asked.current.add(id);
        await Promise.allSettled([hub.tools.audit({ server: id })]);
      }
      busy.current = false;
      await cache.invalidateQueries({ queryKey: keys.servers });
    };
    void count();
  }, [hub, cache, inSight]);
}

const TOOLS_MAX = 300;
