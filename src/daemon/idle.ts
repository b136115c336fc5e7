import type { Cancel, Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Hub } from '../hub/hub.ts';
import type { Listener } from './listen.ts';

/**
 * Calls `onIdle` once nobody has needed the hub for long enough: no request, no stream, no live
 * server; or once its files are gone, since then nobody can find it any more.
 */
export function watchIdle(options: {
  readonly hub: Pick<Hub, 'status'>;
  readonly listener: Pick<Listener, 'open' | 'lastUsed'>;
  readonly isLost: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly idleExitMs: number;
  readonly onIdle: () => void;
}): Cancel {
  const { hub, listener, isLost, clock, logger, idleExitMs, onIdle } = options;
  const unused = (): boolean =>
    listener.open() === 0 && clock.monotonic() - listener.lastUsed() >= idleExitMs;
  const check = async (): Promise<void> => {
    if (isLost()) return onIdle();
    if (!unused()) return;
    if ((await hub.status()).live > 0) return;
    // Asking took a moment, in which somebody may have come.
    if (unused()) onIdle();
  };
  return clock.every(Math.min(limits.hubIdleCheckMs, idleExitMs), () => {
    check().catch((error: unknown) => logger.warn('idle check failed', { error: messageOf(error) }));
  });
}
