import { createContext, use, useEffect } from 'react';
import type { HubEvent } from './hub-context.tsx';

export interface Events {
  readonly send: (event: HubEvent) => void;
  /** Answers how to stop listening. */
  readonly listen: (listener: (event: HubEvent) => void) => () => void;
}

export function createEvents(): Events {
  const listeners = new Set<(event: HubEvent) => void>();
  return {
    send: (event) => {
      for (const listener of listeners) listener(event);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const EventsContext = createContext<Events>(createEvents());

export const EventsProvider = EventsContext.Provider;

/** Hears every event of the hub for as long as the component is there. Give a stable function. */
export function useHubEvents(listener: (event: HubEvent) => void): void {
  const { listen } = use(EventsContext);
  useEffect(() => listen(listener), [listen, listener]);
}
