import type { Clock } from '../base/clock.ts';
import { hasCode } from '../base/errors.ts';
import { faultOf, onFault, type Fault } from '../base/faults.ts';
import { limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';

export interface KeptRunning extends Disposable {
  /** Deals with what nothing has caught. */
  readonly survive: (error: unknown, crash: (error: unknown) => void) => void;
}

/**
 * Keeps the hub running through faults, as long as it is not disposed: one connection's bug must not end
 * the connections of all others (decisions/2026-11-17-keep-running.md). Each is written to the log: where
 * it happened, never its message.
 */
export function keepRunning(options: { readonly logger: Logger; readonly clock: Clock }): KeptRunning {
  const note = noteWith(options);
  const stop = onFault(note);
  let isOver = false;
  return {
    survive: (error, crash) => {
      // Node says of itself that it cannot go on; and a hub that has ended has nobody to go on for.
      if (isOver || hasCode(error, 'ERR_INTERNAL_ASSERTION')) crash(error);
      else note(faultOf('something that nothing waited for', error));
    },
    [Symbol.dispose]: () => {
      isOver = true;
      stop();
    },
  };
}

/** One that comes again and again must not fill the disk: only the first ones of a minute are written. */
function noteWith({
  logger,
  clock,
}: {
  readonly logger: Logger;
  readonly clock: Clock;
}): (fault: Fault) => void {
  const { faultsLoggedMax } = limits;
  let since = clock.monotonic();
  let count = 0;
  return ({ during, name, places }) => {
    const now = clock.monotonic();
    if (now - since > MINUTE_MS) {
      if (count > faultsLoggedMax)
        logger.error('unexpected failures left out', { count: count - faultsLoggedMax });
      since = now;
      count = 0;
    }
    count += 1;
    if (count <= faultsLoggedMax) logger.error('unexpected failure', { during, name, places });
  };
}

const MINUTE_MS = 60_000;
