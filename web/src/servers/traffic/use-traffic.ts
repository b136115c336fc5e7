import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useHubEvents } from '../../hub/events.tsx';
import { useHub, type HubEvent, type ServerTraffic, type TrafficMessage } from '../../hub/hub-context.tsx';

/** As many as the hub keeps. */
const KEPT_MAX = 500;

interface Shown {
  readonly since: number | undefined;
  readonly messages: readonly TrafficMessage[];
  readonly dropped: number;
}

interface Reading {
  busy: boolean;
  again: boolean;
  /** What was read so far, and of which recording. */
  last: number;
  since: number | undefined;
}

export interface LiveTraffic {
  /** Absent until the hub has answered. */
  readonly shown: Shown | undefined;
  readonly error: unknown;
  /** Begins anew, or forgets what there is. */
  readonly record: (recorded: boolean) => Promise<void>;
}

/** The messages of a server as they come: the hub says that there are more, and only those are fetched. */
export function useTraffic(server: string): LiveTraffic {
  const hub = useHub();
  const [shown, setShown] = useState<Shown>();
  const [error, setError] = useState<unknown>();
  const reading = useRef<Reading>({ busy: false, again: false, last: 0, since: undefined });
  const read = useCallback(async (): Promise<void> => {
    const state = reading.current;
    state.again = true;
    if (state.busy) return;
    state.busy = true;
    try {
      while (state.again) {
        state.again = false;
        const answer = await hub.servers.traffic({ id: server, after: state.last });
        if (answer.since !== state.since && state.last > 0) {
          // Another recording, with numbers of its own: read from its beginning.
          state.last = 0;
          state.again = true;
          continue;
        }
        state.since = answer.since;
        state.last = answer.messages.at(-1)?.seq ?? state.last;
        setShown((before) => joined(before, answer));
      }
      setError(undefined);
    } catch (failure) {
      setError(failure);
    } finally {
      state.busy = false;
    }
  }, [hub, server]);
  useEffect(() => void read(), [read]);
  useHubEvents(
    useCallback(
      (event: HubEvent) => {
        const isMissed = event.kind === 'events-dropped';
        const isOurs = event.kind === 'server-output' && event.of === 'traffic' && event.server === server;
        if (isMissed || isOurs) void read();
      },
      [read, server],
    ),
  );
  const record = useCallback(
    async (recorded: boolean): Promise<void> => {
      try {
        const answer = await hub.servers.recordTraffic({ id: server, recorded });
        reading.current.last = answer.messages.at(-1)?.seq ?? 0;
        reading.current.since = answer.since;
        setShown(joined(undefined, answer));
      } catch (failure) {
        setError(failure);
      }
    },
    [hub, server],
  );
  return useMemo(() => ({ shown, error, record }), [shown, error, record]);
}

/** A recording that was begun anew, here or in another tab, has messages of its own. */
function joined(before: Shown | undefined, { since, messages, dropped }: ServerTraffic): Shown {
  const known = before && since !== undefined && before.since === since ? before.messages : [];
  const last = known.at(-1)?.seq ?? 0;
  const all = [...known, ...messages.filter(({ seq }) => seq > last)].slice(-KEPT_MAX);
  return { since, messages: all, dropped };
}
