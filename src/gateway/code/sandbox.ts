import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { startThread } from '../../base/thread.ts';
import { codeLimits, type CodeLimits } from './limits.ts';
import type { ScriptFailure, ScriptOutcome, ThreadSaid, ThreadStart, Answer } from './thread-messages.ts';
import { toldToModel } from '../../base/remedy-sentence.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { ToolNames } from '../../catalog/typescript/identifiers.ts';

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
    if (isObject(error) && error['code'] === 'ERR_WORKER_OUT_OF_MEMORY') resolve(OUT_OF_MEMORY);
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
    const ended = await promise;
    if (ended.kind === 'failed') return { ...ended.failure, logs, calls: asks.calls };
    const value = ended.text === undefined ? undefined : (JSON.parse(ended.text) as Json); // as the machine wrote it
    return { kind: 'returned', value, logs, calls: asks.calls };
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

function failed(failure: ScriptFailure): Ended {
  return { kind: 'failed', failure };
}

function tooLong(ms: number): ScriptFailure {
  return { kind: 'time', message: `The script took longer than ${ms / 1000} s.` };
}

function broken(cause: unknown): PlugError {
  const message = `The script could not be run: ${messageOf(cause)}`;
  return new PlugError('internal', message, { owner: 'plugboard', cause });
}

const CANCELLED: ScriptFailure = { kind: 'cancelled', message: 'The script was cancelled.' };
const OUT_OF_MEMORY = failed({ kind: 'memory', message: 'The script needed more memory than it may have.' });

export interface AsksOptions {
  readonly tools: ToolNames;
  readonly call: (ref: string, args: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  readonly lookups: Lookups;
  readonly limits: CodeLimits;
  readonly signal: AbortSignal;
}

export interface Lookups {
  search(query: Json | undefined, options: Json | undefined): Promise<Json>;
  describe(names: readonly Json[]): Promise<Json>;
}

type Ask = Extract<ThreadSaid, { kind: 'ask' }>;

class Asks {
  readonly #options: AsksOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  calls = 0;

  constructor(options: AsksOptions) {
    this.#options = options;
  }

  /** Never rejects: a failure is an answer that the script may catch. */
  async answer(ask: Ask): Promise<Answer> {
    const { id } = ask;
    try {
      const text = JSON.stringify(await this.#valueOf(ask));
      const { callResultCharsMax } = this.#options.limits;
      if (text.length <= callResultCharsMax) return { id, ok: true, text };
      const message = `The result has ${text.length} characters, and a script takes ${callResultCharsMax}. Ask the tool for less.`;
      return { id, ok: false, message, code: 'too_large' };
    } catch (error) {
      if (!(error instanceof PlugError)) return { id, ok: false, message: messageOf(error) };
      return { id, ok: false, message: toldToModel(error.message, error.remedy), code: error.code };
    }
  }

  async #valueOf({ what, path, text }: Ask): Promise<Json> {
    const value = JSON.parse(text) as Json; // written by JSON.stringify
    const { lookups } = this.#options;
    if (what === 'call') return this.#call(path, isObject(value) ? value : {});
    const list = Array.isArray(value) ? value : [];
    return what === 'search' ? lookups.search(list[0], list[1]) : lookups.describe(list);
  }

  async #call([server = '', tool = '']: readonly string[], args: JsonObject): Promise<Json> {
    const { tools, call, signal, limits } = this.#options;
    const ref = tools.refOf(server, tool);
    if (ref === undefined) throw noSuchTool(server, tool, tools);
    if (this.#running >= limits.callsAtOnceMax) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      signal.throwIfAborted();
      this.calls += 1;
      return toolValue(await call(ref, args, signal));
    } finally {
      // The slot goes to the longest waiter.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

function noSuchTool(server: string, tool: string, tools: ToolNames): PlugError {
  const own = tools.servers.get(server);
  const word = own === undefined ? server : tool;
  const guesses = didYouMean(suggest(word, own ?? [...tools.servers.keys()]));
  const what = own === undefined ? `There is no server “${server}”.` : `${server} has no tool “${tool}”.`;
  const remedy = "Look for it with tools.search('…').";
  return new PlugError('not_found', `${what} ${guesses}`.trimEnd(), { owner: 'you', remedy });
}

/** Structured content, else text, parsed if it is a JSON object or list (`1.10` stays text); errors throw. */
function toolValue(result: JsonObject): Json {
  const content = Array.isArray(result['content']) ? result['content'] : [];
  const texts = content.flatMap((item: unknown) =>
    isObject(item) && item['type'] === 'text' && typeof item['text'] === 'string' ? [item['text']] : [],
  );
  const text = texts.join('\n');
  if (result['isError'] === true) {
    const message = text === '' ? 'The tool failed and did not say why.' : text;
    throw new PlugError('server_error', message, { owner: 'server' });
  }
  if (result['structuredContent'] !== undefined) return result['structuredContent'];
  return texts.length === content.length ? parsed(text) : content;
}

function parsed(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as Json; // JSON.parse makes nothing but JSON
  } catch {
    return text; // it only looked like JSON
  }
}
