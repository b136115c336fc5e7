import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { HubEvent } from '../hub/hub.ts';
import { openStream } from './exchange.ts';
import type { Send } from './send.ts';

/**
 * Events of a hub behind a connection. When the stream breaks it listens again; what happened in
 * between is lost, and an `events-dropped` with count 0 (how many is unknown) says so.
 */
export async function* watchEvents(options: {
  readonly send: Send;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly first: Promise<AsyncGenerator<HubEvent>>;
  /** Told when the stream breaks, before it listens again. */
  readonly onBreak?: (() => void) | undefined;
}): AsyncGenerator<HubEvent> {
  const { signal } = options;
  let stream = await whileWanted(options.first, signal);
  while (stream) {
    yield* untilBroken(stream);
    if (signal.aborted) return;
    options.onBreak?.();
    stream = await whileWanted(listenAgain(options), signal);
    if (stream) yield { kind: 'events-dropped', count: 0 };
  }
}

/** A stream that breaks ends here; why it broke shows when listening again fails. */
async function* untilBroken(stream: AsyncGenerator<HubEvent>): AsyncGenerator<HubEvent> {
  try {
    yield* stream;
  } catch {
    // The next listen tells whether the hub is gone.
  }
}

async function listenAgain(options: {
  readonly send: Send;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<AsyncGenerator<HubEvent>> {
  const { send, clock, signal } = options;
  for (let attempt = 0; ; attempt += 1) {
    await clock.sleep(Math.min(limits.watchRetryMaxMs, limits.watchRetryBaseMs * 2 ** attempt), signal);
    try {
      return await openStream(send, 'watch', {}, signal);
    } catch (error) {
      if (signal.aborted || attempt + 1 >= limits.watchRetriesMax) throw error;
    }
  }
}

/** Undefined instead of an error once nobody wants the events any more. */
async function whileWanted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
