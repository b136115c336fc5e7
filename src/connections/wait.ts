import { PlugError } from '../base/errors.ts';

/** Whoever waits may leave; what they waited for goes on for the others. */
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

export function startTimeout(server: string, timeoutMs: number): PlugError {
  const seconds = Math.round(timeoutMs / 100) / 10;
  return new PlugError('start_timeout', `${server} was not ready within ${seconds} s.`, {
    owner: 'server',
    server,
    remedy: { do: 'show-logs', server },
  });
}

export function busyAtStart(server: string, waitMs: number): PlugError {
  const seconds = Math.ceil(waitMs / 1000);
  return new PlugError('rate_limited', `${server} is rate limiting requests and asks to wait ${seconds} s.`, {
    owner: 'server',
    server,
    remedy: { do: 'wait', seconds },
    details: { retryAfterMs: waitMs },
  });
}

/** The breaker is open: says until when, and what happened last. */
export function refusedError(server: string, refusedMs: number, last: string): PlugError {
  const seconds = Math.ceil(refusedMs / 1000);
  return new PlugError('unavailable', `${server} failed too often; next try in ${seconds} s. Last: ${last}`, {
    owner: 'server',
    server,
    remedy: { do: 'restart', server },
  });
}

export function stoppedError(server: string, reason: string): PlugError {
  return new PlugError('unavailable', `${server}: ${reason}`, {
    owner: 'you',
    server,
    remedy: { do: 'restart', server },
  });
}
