import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import { isObject, type Json } from '../../base/json.ts';
import { startThread } from '../../base/thread.ts';
import { Asks, type AsksOptions } from './asks.ts';
import { codeLimits, type CodeLimits } from './limits.ts';
import type { ScriptFailure, ScriptOutcome, ThreadSaid, ThreadStart } from './thread-messages.ts';

export interface ScriptRun extends Pick<AsksOptions, 'tools' | 'call' | 'lookups'> {
  readonly code: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  readonly limits?: CodeLimits;
}

/**
 * Runs in an empty machine in its own thread; `call` is its only way out, and there are no timers. Invariant:
 * on return the thread is gone and every call it made is over or aborted.
 */
export async function runScript(run: ScriptRun): Promise<ScriptOutcome> {
  const { code, tools, signal, clock, limits = codeLimits } = run;
  const logs: string[] = [];
  if (signal?.aborted) return { ...CANCELLED, logs, calls: 0 };
  if (code.length > limits.scriptCharsMax) {
    const message = `The script is longer than ${limits.scriptCharsMax} characters.`;
    return { kind: 'syntax', message, logs, calls: 0 };
  }
  const stop = new AbortController();
  const asks = new Asks({ ...run, limits, signal: stop.signal });
  const thread = startScript({ code, names: tools.servers, limits });
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const active = (): number => thread.performance.eventLoopUtilization().active;
  let startedAt = limits.startMs;
  thread.on('message', (said: ThreadSaid) => {
    if (said.kind === 'started') startedAt = active();
    else if (said.kind === 'log') logs.push(said.text);
    else if (said.kind === 'ask') void answer(said);
    else resolve(said);
  });
  thread.on('error', (error) => {
    if (isObject(error) && error['code'] === 'ERR_WORKER_OUT_OF_MEMORY') resolve(failed(OUT_OF_MEMORY));
    else reject(broken(error));
  });
  thread.on('exit', () => reject(broken(new Error('its thread ended without an answer'))));
  const cancel = (): void => resolve(failed(CANCELLED));
  const cancelTotal = clock.after(limits.totalMs, () => resolve(failed(tooLong(limits.totalMs))));
  const cancelWatch = clock.every(limits.watchMs, () => {
    // A loop that can't be interrupted from inside is ended from here.
    if (active() - startedAt > limits.ownMs + limits.graceMs) resolve(failed(tooLong(limits.ownMs)));
  });
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return { ...outcomeOf(await promise), logs, calls: asks.calls };
  } finally {
    cancelTotal();
    cancelWatch();
    signal?.removeEventListener('abort', cancel);
    stop.abort(new PlugError('cancelled', 'The script that made this call has ended.', { owner: 'you' }));
    await thread.terminate();
  }

  async function answer(ask: Extract<ThreadSaid, { kind: 'ask' }>): Promise<void> {
    const answered = await asks.answer(ask);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    if (!stop.signal.aborted) thread.postMessage(answered);
  }
}

type Ended = Extract<ThreadSaid, { kind: 'returned' | 'failed' }>;

function startScript(start: ThreadStart): Worker {
  return startThread(import.meta.url, {
    workerData: start,
    // Type stripping still warns on the hub's stderr.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: {
      maxOldGenerationSizeMb: start.limits.threadHeapMb,
      maxYoungGenerationSizeMb: 4,
      stackSizeMb: start.limits.threadStackMb,
    },
  });
}

function outcomeOf(
  ended: Ended,
): ScriptFailure | { readonly kind: 'returned'; readonly value: Json | undefined } {
  if (ended.kind === 'failed') return ended.failure;
  // Written by the machine's JSON.stringify.
  return { kind: 'returned', value: ended.text === undefined ? undefined : (JSON.parse(ended.text) as Json) };
}

function failed(failure: ScriptFailure): Ended {
  return { kind: 'failed', failure };
}

function tooLong(ms: number): ScriptFailure {
  return { kind: 'time', message: `The script took longer than ${ms / 1000} s.` };
}

function broken(error: unknown): PlugError {
  return new PlugError('internal', `The script could not be run: ${messageOf(error)}`, {
    owner: 'plugboard',
    cause: error,
  });
}

const CANCELLED: ScriptFailure = { kind: 'cancelled', message: 'The script was cancelled.' };
const OUT_OF_MEMORY: ScriptFailure = {
  kind: 'memory',
  message: 'The script needed more memory than it may have.',
};
