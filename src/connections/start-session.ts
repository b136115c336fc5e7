import type { Clock } from '../base/clock.ts';
import { toPlugError } from '../base/errors.ts';
import type { Manifest } from './manifest.ts';
import type { OpenSession, OpenedSession } from './open-session.ts';
import type { SessionEvents } from './session.ts';
import { startTimeout } from './wait.ts';

export interface StartOptions {
  readonly server: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
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
  const { server, clock, timeoutMs, abort, events, failures, onAttempt, onBusy } = options;
  const { signal } = abort;
  await Promise.allSettled(options.after);
  const cancelTimer = clock.after(timeoutMs, () => abort.abort(startTimeout(server, timeoutMs)));
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
    cancelTimer();
  }
}
