import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useHubEvents } from '../hub/events.tsx';
import { useHub, type HubEvent, type ServerList } from '../hub/hub-context.tsx';
import { keys } from '../hub/queries.ts';
import { useToast } from '../parts/toasts.tsx';
import { BrokenFiles } from './broken-files.ts';
import { News } from './news.ts';
import { places } from './places.ts';
import { newsWords, type Word } from './news-words.ts';

const LOOK_MS = 1_500;

/**
 * Says what happened where one is not looking: servers that failed or came back, sign-ins that
 * expired, tools that changed, files that broke. A server that flaps is spoken of once.
 */
export function EventToasts(): null {
  const [location, go] = useLocation();
  const hub = useHub();
  const cache = useQueryClient();
  const toast = useToast();
  const now = useRef({ location, go, toast });
  now.current = { location, go, toast };
  const news = useRef(new News());
  const files = useRef(new BrokenFiles());
  const timer = useRef<number | undefined>(undefined);

  const look = useCallback(async (): Promise<void> => {
    timer.current = undefined;
    const list = cache.getQueryData<ServerList>(keys.servers) ?? (await hub.servers.list());
    const names = new Map(list.servers.map(({ id, name }) => [id, name]));
    const { items, later } = await news.current.take(Date.now(), async (server) => {
      const { withheld } = await hub.tools.list({ server });
      return withheld.filter(({ cause }) => cause === 'changed').length;
    });
    const here = now.current.location;
    const unseen = items.filter(
      ({ server }) => here !== places.servers && !here.startsWith(places.server(server)),
    );
    const broken = files.current.wanted ? files.current.take((await hub.servers.list()).files) : [];
    for (const word of [...newsWords(unseen, names), ...broken]) show(word, now.current);
    if (later !== undefined) timer.current ??= window.setTimeout(() => void look().catch(ignored), later);
  }, [cache, hub]);

  useHubEvents(
    useCallback(
      (event: HubEvent) => {
        if (event.kind === 'config-change') files.current.wanted = true;
        else if (!news.current.hear(event)) return;
        timer.current ??= window.setTimeout(() => void look().catch(ignored), LOOK_MS);
      },
      [look],
    ),
  );
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return null;
}

/** The hub went away in between: the bar above says so, and its return brings everything anew. */
function ignored(): void {}

function show(
  { tone, title, more, action }: Word,
  { toast, go }: { readonly toast: ReturnType<typeof useToast>; readonly go: (to: string) => void },
): void {
  if (tone === 'good') toast.good(title, more);
  else toast.info(title, more, action && { label: action.label, onClick: () => go(action.to) });
}
