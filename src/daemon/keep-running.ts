import type { Clock } from '../base/clock.ts';
import { hasCode } from '../base/errors.ts';
import { faultOf, onFault, type Fault } from '../base/faults.ts';
import { limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';

interface KeepOptions {
  readonly logger: Logger;
  readonly clock: Clock;
}

export interface KeptRunning extends Disposable {
  readonly survive: (error: unknown, crash: (error: unknown) => void) => void;
}

/** One connection's bug must not end all others, see decisions/2026-11-17-keep-running.md. */
export function keepRunning(options: KeepOptions): KeptRunning {
  const note = noteWith(options);
  const stop = onFault(note);
  let isOver = false;
  return {
    survive: (error, crash) => {
      // After ERR_INTERNAL_ASSERTION Node itself cannot go on.
      if (isOver || hasCode(error, 'ERR_INTERNAL_ASSERTION')) crash(error);
      else note(faultOf('something that nothing waited for', error));
    },
    [Symbol.dispose]: () => {
      isOver = true;
      stop();
    },
  };
}

/** A recurring fault must not fill the disk: only the first ones of a minute are logged. */
function noteWith({ logger, clock }: KeepOptions): (fault: Fault) => void {
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
