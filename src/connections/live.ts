import { ignore, PlugError, toPlugError } from '../base/errors.ts';
import type { ConnectionOptions } from './condition.ts';
import { httpStatusOf, serverFailure } from './failures.ts';
import type { Manifest } from './manifest.ts';
import type { OpenArguments, OpenedSession } from './open-session.ts';
import { longestStartMs } from './start-slots.ts';

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

/** Sessions and processes on their way out: each is kept until it has ended. */
export class Endings {
  readonly #options: Pick<ConnectionOptions, 'server' | 'logger'>;
  readonly #leaving = new Set<Live>();
  readonly #ending = new Set<Promise<void>>();

  constructor(options: Pick<ConnectionOptions, 'server' | 'logger'>) {
    this.#options = options;
  }

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

  /** Requests that still run on it may be answered first. */
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

export interface StartOptions
  extends
    Pick<ConnectionOptions, 'server' | 'clock' | 'limits' | 'open' | 'readManifest'>,
    Pick<OpenArguments, 'events' | 'failures' | 'onAttempt' | 'onBusy' | 'onSignIn'> {
  readonly timeoutMs: number;
  /** Ends the start, whatever it is doing; the time limit uses it, too. */
  readonly abort: AbortController;
  /** Must settle before the start: two processes of one server may not get along. */
  readonly after: Iterable<Promise<unknown>>;
  readonly keepManifest: (manifest: Manifest) => Promise<void>;
}

/** Opens a session and reads its manifest in time. Either the session is whole and alive, or nothing is left. */
export async function startSession(options: StartOptions): Promise<OpenedSession> {
  const { abort, events, failures, onAttempt } = options;
  const { signal } = abort;
  await Promise.allSettled(options.after);
  let connected = false;
  const limit = limitOf(options, () => connected);
  const onBusy = (waitMs: number): void => {
    limit.extend(waitMs);
    options.onBusy(waitMs);
  };
  const onSignIn = (address: string): void => {
    limit.awaitSignIn();
    options.onSignIn(address);
  };
  let opened: OpenedSession | undefined;
  try {
    signal.throwIfAborted();
    const { untimed } = limit;
    opened = await options.open({ events, signal, failures, onAttempt, onBusy, onSignIn, untimed });
    connected = true;
    const manifest = await options.readManifest(opened, signal);
    signal.throwIfAborted();
    await options.keepManifest(manifest);
    // The session may have ended while the manifest was stored.
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

/** Ends the start when its time is over; one wait that is longer than all of it ends it at once. */
function limitOf(
  { server, clock, timeoutMs, limits, abort }: StartOptions,
  isConnected: () => boolean,
): {
  extend(waitMs: number): void;
  awaitSignIn(): void;
  readonly untimed: OpenArguments['untimed'];
  lift(): void;
} {
  const began = clock.monotonic();
  let allowedMs = timeoutMs;
  let lifted = false;
  let untimedMs = 0;
  let signInMs = 0;
  const arm = (): (() => void) =>
    clock.after(began + allowedMs + untimedMs + signInMs - clock.monotonic(), () =>
      abort.abort(
        signInMs > 0 ? signInTimeout(server, signInMs) : startTimeout(server, timeoutMs, isConnected()),
      ),
    );
  let cancel = arm();
  return {
    // A wait that the server asked for is not its slowness.
    extend: (waitMs) => {
      // The session goes on using the same callbacks after the start.
      if (lifted) return;
      cancel();
      allowedMs += waitMs;
      const tooLong = waitMs > timeoutMs || allowedMs > longestStartMs(timeoutMs, limits);
      if (tooLong) abort.abort(busyAtStart(server, waitMs));
      else cancel = arm();
    },
    awaitSignIn: () => {
      if (lifted || signInMs > 0) return;
      cancel();
      signInMs = limits.browserSignInMs;
      cancel = arm();
    },
    untimed: async (work) => {
      cancel();
      const from = clock.monotonic();
      try {
        return await work();
      } finally {
        untimedMs += clock.monotonic() - from;
        if (!lifted) cancel = arm();
      }
    },
    lift: () => {
      lifted = true;
      cancel();
    },
  };
}

/** One waiter may give up; the promise goes on for the others. */
export function raceSignal<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  server: string,
): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const leave = (): void =>
      reject(new PlugError('cancelled', `The wait for ${server} was cancelled.`, { owner: 'you', server }));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

function startTimeout(server: string, timeoutMs: number, connected: boolean): PlugError {
  const seconds = Math.round(timeoutMs / 100) / 10;
  const message = `${server} was not ready within ${seconds} s.`;
  const remedy = { do: 'show-logs', server } as const;
  return serverFailure('start_timeout', server, message, { remedy, details: { connected } });
}

function signInTimeout(server: string, waitedMs: number): PlugError {
  const minutes = Math.round(waitedMs / 60_000);
  const message = `${server} waited ${minutes} minutes for you to sign in at the address that it printed.`;
  const remedy = { do: 'restart', server } as const;
  return new PlugError('sign_in_needed', message, { owner: 'you', server, remedy });
}

export interface Patience {
  /** Waits while the server waits for its user to sign in. */
  readonly patient?: boolean;
}

/** A start that goes no further before its user has signed in: callers do not wait for a person. */
export class SignInWait {
  readonly #asked = Promise.withResolvers<never>();
  readonly asked: (url: string) => void;

  constructor(server: string, tell: (error: PlugError) => void) {
    ignore(this.#asked.promise, 'who waits patiently does not look at it');
    this.asked = (url) => {
      const remedy = { do: 'open-address', server, url } as const;
      const message = `${server} is waiting for you to sign in.`;
      const error = new PlugError('sign_in_needed', message, { owner: 'you', server, remedy });
      tell(error);
      this.#asked.reject(error);
    };
  }

  race<T>(starting: Promise<T>): Promise<T> {
    return Promise.race([starting, this.#asked.promise]);
  }
}

function busyAtStart(server: string, waitMs: number): PlugError {
  const seconds = Math.ceil(waitMs / 1000);
  const message = `${server} is rate limiting requests and asks to wait ${seconds} s.`;
  return serverFailure('rate_limited', server, message, {
    remedy: { do: 'wait', seconds },
    details: { retryAfterMs: waitMs },
  });
}

export function refusedError(server: string, refusedMs: number, last: string): PlugError {
  const seconds = Math.ceil(refusedMs / 1000);
  const message = `${server} failed too often; next try in ${seconds} s. Last: ${last}`;
  return serverFailure('unavailable', server, message, { remedy: { do: 'restart', server } });
}

export function stoppedError(server: string, reason: string): PlugError {
  const remedy = { do: 'restart', server } as const;
  return new PlugError('unavailable', `${server}: ${reason}`, { owner: 'you', server, remedy });
}
