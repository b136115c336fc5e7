import { parentPort, Worker, workerData, type WorkerOptions } from 'node:worker_threads';
import type { Clock } from './clock.ts';
import { assert, PlugError, toPlugError, type ErrorView } from './errors.ts';

/** Starts the file `thread` beside the calling module (its `import.meta.url`), without our environment. */
export function startThread(beside: string, options: WorkerOptions): Worker {
  const file = new URL(`./thread${beside.endsWith('.ts') ? '.ts' : '.js'}`, beside);
  return new Worker(file, { ...options, env: {} });
}

export interface ThreadTask extends WorkerOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly late: () => PlugError;
  readonly broken: (error: unknown) => PlugError;
}

type Answer<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: ErrorView };

/** Does one piece of work in a thread of its own, which is gone when this returns. */
export async function inThread<T>(beside: string, task: ThreadTask): Promise<T> {
  const { timeoutMs, clock, signal, late, broken, ...options } = task;
  signal?.throwIfAborted();
  const thread = startThread(beside, options);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const stop = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const cancelTimer = clock.after(timeoutMs, () => reject(late()));
  thread.once('message', (answer: Answer<T>) => {
    if (answer.kind === 'done') resolve(answer.value);
    else reject(PlugError.fromView(answer.error));
  });
  thread.once('error', (error) => reject(broken(error)));
  thread.once('exit', () => reject(broken(new Error('its thread ended without an answer'))));
  try {
    return await promise;
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', stop);
    await thread.terminate();
  }
}

/** The other end of `inThread`: does the work, answers once, and ends. */
export async function answerInThread(work: (start: never) => Promise<unknown>): Promise<void> {
  assert(parentPort, 'this file runs only as a thread');
  let answer: Answer<unknown>;
  try {
    // The module beside the thread gives exactly this.
    answer = { kind: 'done', value: await work(workerData as never) };
  } catch (error) {
    answer = { kind: 'failed', error: toPlugError(error).toView() };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  parentPort.postMessage(answer);
}
