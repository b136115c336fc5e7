import type { Limits } from '../base/limits.ts';
import { toPlugError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { httpStatusOf } from './failures.ts';
import type { OpenedSession, OpenSession } from './open-session.ts';
import type { Clock } from '../base/clock.ts';
import type { Manifest } from './manifest.ts';
import type { SessionEvents } from './session.ts';
import { longestStartMs } from './start-slots.ts';
import { busyAtStart, startTimeout } from './wait.ts';

/** A session in use. */
export interface Live {
  readonly opened: OpenedSession;
  readonly since: number;
  /** Requests that run on it; a replaced session ends when the last of them has. */
  active: number;
}

/** HTTP 404 on a session means that the server forgot it (spec 2025-11-25, session management). */
export function isForgotten({ opened: { session } }: Live, error: unknown): boolean {
  return session.transport === 'streamable-http' && !session.modern && httpStatusOf(error) === 404;
}

/** Sessions and processes on their way out: nothing is let go of before it is over. */
export class Endings {
  readonly #options: { readonly server: string; readonly logger: Logger };
  readonly #leaving = new Set<Live>();
  readonly #ending = new Set<Promise<void>>();

  constructor(options: { readonly server: string; readonly logger: Logger }) {
    this.#options = options;
  }

  /** Resolves to what has to be waited for. */
  get all(): readonly Promise<void>[] {
    return [...this.#ending];
  }

  end(live: Live): void {
    const { logger, server } = this.#options;
    this.#leaving.delete(live);
    const ending = live.opened
      .close()
      .catch((error: unknown) =>
        logger.warn('a session did not end well', { server, error: toPlugError(error).message }),
      )
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Ends when its last request has: those may still be answered. */
  endWhenIdle(live: Live): void {
    this.#leaving.add(live);
    this.requestEnded(live);
  }

  requestEnded(live: Live): void {
    if (live.active === 0 && this.#leaving.has(live)) this.end(live);
  }

  endLeaving(): void {
    for (const live of this.#leaving) this.end(live);
  }
}

export interface StartOptions {
  readonly server: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly limits: Limits;
  /** Ends the start, whatever it is doing; the time limit uses it, too. */
  readonly abort: AbortController;
  /** What must be over before the server may start: two of its kind at once may not get along. */
  readonly after: Iterable<Promise<unknown>>;
  readonly events: SessionEvents;
  readonly failures: number;
  readonly onAttempt: () => void;
  readonly onBusy: (waitMs: number) => void;
  readonly open: OpenSession;
  readonly readManifest: (opened: OpenedSession, signal: AbortSignal) => Promise<Manifest>;
  readonly keepManifest: (manifest: Manifest) => Promise<void>;
}

/**
 * Opens a session and reads what it offers, within the time limit. Either the session is whole
 * and alive, or nothing of it is left.
 */
export async function startSession(options: StartOptions): Promise<OpenedSession> {
  const { abort, events, failures, onAttempt } = options;
  const { signal } = abort;
  await Promise.allSettled(options.after);
  const limit = limitOf(options);
  const onBusy = (waitMs: number): void => {
    limit.extend(waitMs);
    options.onBusy(waitMs);
  };
  let opened: OpenedSession | undefined;
  try {
    signal.throwIfAborted();
    opened = await options.open({ events, signal, failures, onAttempt, onBusy });
    const manifest = await options.readManifest(opened, signal);
    signal.throwIfAborted();
    await options.keepManifest(manifest);
    // The manifest took a moment to store: what was true before it may be over.
    signal.throwIfAborted();
    if (opened.session.ended) throw opened.endError();
    return opened;
  } catch (error) {
    if (opened) await opened.close();
    throw toPlugError(signal.aborted ? signal.reason : error);
  } finally {
    limit.lift();
  }
}

interface StartLimit {
  /** The server asked for a wait, which is not its slowness. */
  extend(waitMs: number): void;
  lift(): void;
}

/** Ends the start when its time is over; one wait that is longer than all of it ends it at once. */
function limitOf({ server, clock, timeoutMs, limits, abort }: StartOptions): StartLimit {
  const began = clock.monotonic();
  let allowedMs = timeoutMs;
  let lifted = false;
  const arm = (): (() => void) =>
    clock.after(began + allowedMs - clock.monotonic(), () => abort.abort(startTimeout(server, timeoutMs)));
  let cancel = arm();
  return {
    extend: (waitMs) => {
      // The session lives on with the same callbacks.
      if (lifted) return;
      cancel();
      allowedMs += waitMs;
      const tooLong = waitMs > timeoutMs || allowedMs > longestStartMs(timeoutMs, limits);
      if (tooLong) abort.abort(busyAtStart(server, waitMs));
      else cancel = arm();
    },
    lift: () => {
      lifted = true;
      cancel();
    },
  };
}
