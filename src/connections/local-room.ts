import { PlugError } from '../base/errors.ts';
import { isLocal } from '../servers/definition.ts';
import type { Bounds } from './limits.ts';
import type { SharedConnection } from './shared-connection.ts';

interface LocalRoomOptions extends Bounds {
  readonly occupied: () => readonly SharedConnection[];
}

/** The places of local servers: only so many run at once. */
export class LocalRoom {
  readonly #options: LocalRoomOptions;
  /** By share, the longest waiting first: they have no place yet. */
  readonly #waiting = new Map<string, () => void>();

  constructor(options: LocalRoomOptions) {
    this.#options = options;
  }

  /** Takes a place, that of the longest idle server if none is free. Throws when all stay busy. */
  async enter(share: string, signal: AbortSignal): Promise<void> {
    const { clock, limits } = this.#options;
    const until = clock.monotonic() + limits.localRoomMs;
    for (;;) {
      signal.throwIfAborted();
      const holders = this.#holders(share);
      if (holders.length < limits.liveLocalServersMax) return;
      const idle = longestIdle(holders);
      if (idle) await idle.connection.stop('Stopped to make room for another server.', 'SYSTEM');
      else await this.#change(share, until - clock.monotonic(), signal);
    }
  }

  /** A server has become idle, or has ended. */
  notice(): void {
    for (const look of this.#waiting.values()) look();
  }

  #holders(share: string): readonly SharedConnection[] {
    return this.#options
      .occupied()
      .filter(
        (each) => each.share !== share && !this.#waiting.has(each.share) && isLocal(each.definition.endpoint),
      );
  }

  async #change(share: string, ms: number, signal: AbortSignal): Promise<void> {
    const { clock, limits } = this.#options;
    if (ms <= 0) throw allBusy(limits.liveLocalServersMax);
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => resolve();
    const cancel = clock.after(ms, look);
    signal.addEventListener('abort', look, { once: true });
    this.#waiting.set(share, look);
    await promise;
    this.#waiting.delete(share);
    signal.removeEventListener('abort', look);
    cancel();
  }
}

/** One that is to be kept running comes last. */
function longestIdle(holders: readonly SharedConnection[]): SharedConnection | undefined {
  const [longest] = holders
    .filter(({ connection }) => connection.live && !connection.busy)
    .toSorted(
      (a, b) => Number(a.keepAlive) - Number(b.keepAlive) || b.connection.idleMs - a.connection.idleMs,
    );
  return longest;
}

function allBusy(most: number): PlugError {
  const message = `All ${most} local servers that may run are busy.`;
  return new PlugError('unavailable', message, { owner: 'you', remedy: { do: 'show', what: 'servers' } });
}
