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
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

export function startTimeout(server: string, timeoutMs: number): PlugError {
  const seconds = Math.round(timeoutMs / 100) / 10;
  return new PlugError('start_timeout', `${server} was not ready within ${seconds} s.`, {
    owner: 'server',
    server,
    next: `plug logs ${server}`,
  });
}
