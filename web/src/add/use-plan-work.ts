import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toPlugError } from '../../../src/base/errors.ts';
import {
  useHub,
  type InstallOutcome,
  type InstallProgress,
  type InstallRequest,
  type OfferedPlan,
  type TryOutcome,
} from '../hub/hub-context.tsx';
import { keys } from '../hub/queries.ts';

export interface PlanWork {
  readonly doing: 'nothing' | 'try' | 'add';
  readonly log: readonly InstallProgress[];
  readonly tried: TryOutcome | undefined;
  readonly added: InstallOutcome | undefined;
  readonly error: unknown;
  readonly tryIt: (request: InstallRequest) => void;
  readonly add: (request: InstallRequest) => void;
  readonly stop: () => void;
}

type State = Omit<PlanWork, 'tryIt' | 'add' | 'stop'>;

const BEFORE: State = { doing: 'nothing', log: [], tried: undefined, added: undefined, error: undefined };

/** Tries a plan or adds its server, with what happens meanwhile line by line. */
export function usePlanWork(onAgain: () => void, onOffer: (offer: OfferedPlan) => void): PlanWork {
  const hub = useHub();
  const cache = useQueryClient();
  const [state, setState] = useState(BEFORE);
  const under = useRef<AbortController>(undefined);
  useEffect(() => () => under.current?.abort(), []);

  const run = useCallback(
    async (doing: 'try' | 'add', request: InstallRequest): Promise<void> => {
      under.current?.abort();
      const stop = new AbortController();
      under.current = stop;
      const change = (next: (before: State) => State): void => {
        if (under.current === stop) setState(next);
      };
      setState({ ...BEFORE, doing });
      const options = {
        signal: stop.signal,
        onProgress: (line: InstallProgress) =>
          change((before) => ({ ...before, log: [...before.log, line].slice(-LINES_MAX) })),
      };
      try {
        if (doing === 'try') {
          const tried = await hub.plans.try(request, options);
          change((before) => ({ ...before, doing: 'nothing', tried }));
        } else {
          const added = await hub.plans.install(request, options);
          void cache.invalidateQueries({ queryKey: keys.servers });
          change((before) => ({ ...before, doing: 'nothing', added }));
        }
      } catch (error) {
        const { code, details } = toPlugError(error);
        if (code === 'not_found') onAgain();
        // The same plan, with fields for what the server turned out to need.
        const offer = details?.['offer'];
        if (offer !== undefined && under.current === stop) onOffer(offer as OfferedPlan); // the hub made it
        change((before) => ({ ...before, doing: 'nothing', error: stop.signal.aborted ? undefined : error }));
      }
    },
    [hub, cache, onAgain, onOffer],
  );

  return {
    ...state,
    tryIt: (request) => void run('try', request),
    add: (request) => void run('add', request),
    stop: () => under.current?.abort(),
  };
}

const LINES_MAX = 500;
