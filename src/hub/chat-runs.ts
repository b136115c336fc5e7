import type { Cancel, Clock } from '../base/clock.ts';
import { ignore, PlugError } from '../base/errors.ts';
import type { Host } from '../connections/pool.ts';
import type { AgentChat } from './agent.ts';
import type { ChatEvent, ChatOptions, ChatOutcome, ChatRequest } from './hub.ts';

interface Asked {
  readonly agent: AgentChat;
  readonly request: ChatRequest;
  /** Other principals do not see the run. */
  readonly by: string;
  readonly options: ChatOptions;
}

interface Followed {
  readonly run: string;
  readonly by: string;
  /** Answers what servers ask from now on, in place of the host that went away. */
  readonly host: string | undefined;
  readonly options: ChatOptions;
}

interface ChatRunsOptions {
  readonly clock: Clock;
  /** The attached hosts, by id. */
  readonly hosts: ReadonlyMap<string, Host>;
}

/**
 * Turns that do not end with the request that began them: a page that is reloaded, or another of its tabs,
 * follows them from their first event. Kept in memory only, and bounded: a hub that stops ends them.
 */
export class ChatRuns {
  readonly #options: ChatRunsOptions;
  readonly #runs = new Map<string, Run>();

  constructor(options: ChatRunsOptions) {
    this.#options = options;
  }

  /** Without a run of its own, a turn ends when its caller goes. */
  turn(asked: Asked): Promise<ChatOutcome> {
    const { agent, options, by } = asked;
    const { run: id, ...request } = asked.request;
    if (id === undefined) return agent.turn(request, options);
    if (this.#runs.has(id)) throw new PlugError('already_exists', `Run ${id} exists.`, { owner: 'you' });
    const all = [...this.#runs.values()];
    if (all.filter(({ isRunning }) => isRunning).length >= RUNNING_MAX) {
      const message = `${RUNNING_MAX} answers are running already.`;
      throw new PlugError('unavailable', message, { owner: 'you', remedy: 'Stop one, or wait for it.' });
    }
    const run = new Run({ ...this.#options, by, host: request.host });
    this.#runs.set(id, run);
    run.begin(agent, request, () => this.#ended(id, run));
    return run.follow(options);
  }

  follow({ run: id, by, host, options }: Followed): Promise<ChatOutcome> {
    const run = this.#find(id, by);
    if (host !== undefined) run.host = host;
    return run.follow(options);
  }

  stop(id: string, by: string): void {
    this.#find(id, by).stop();
  }

  async close(): Promise<void> {
    const all = [...this.#runs.values()];
    this.#runs.clear();
    for (const run of all) run.close();
    await Promise.all(all.map((run) => run.answered));
  }

  #find(id: string, by: string): Run {
    const run = this.#runs.get(id);
    if (run?.by === by) return run;
    const message =
      'The hub no longer has this answer: it restarted, or the answer ended more than an hour ago.';
    throw new PlugError('not_found', message, { owner: 'plugboard', remedy: { do: 'retry' } });
  }

  /** The oldest ended runs make room for the newest. */
  #ended(id: string, run: Run): void {
    if (this.#runs.get(id) !== run) return;
    this.#runs.delete(id);
    this.#runs.set(id, run);
    run.forgetAfter(ENDED_MS, () => this.#runs.delete(id));
    let [count, chars] = [0, 0];
    for (const [each, { isRunning, size }] of [...this.#runs].toReversed()) {
      if (isRunning) continue;
      [count, chars] = [count + 1, chars + size];
      if (count > 1 && (count > ENDED_MAX || chars > ENDED_CHARS_MAX)) this.#drop(each);
    }
  }

  #drop(id: string): void {
    this.#runs.get(id)?.forget();
    this.#runs.delete(id);
  }
}

const RUNNING_MAX = 16;
const ENDED_MAX = 64;
const ENDED_CHARS_MAX = 16 * 1024 * 1024;
/** Long enough for a page that is opened again after a while. */
const ENDED_MS = 60 * 60_000;
const RUN_CHARS_MAX = 4 * 1024 * 1024;

interface RunOptions extends ChatRunsOptions {
  readonly by: string;
  readonly host: string | undefined;
}

/** One turn: everything that happened in it so far, and who is told what happens next. */
class Run {
  readonly by: string;
  host: string | undefined;
  readonly #options: RunOptions;
  readonly #stop = new AbortController();
  readonly #followers = new Set<(event: ChatEvent) => void>();
  readonly #outcome = Promise.withResolvers<ChatOutcome>();
  #events: KeptEvent[] = [];
  #cancel: Cancel | undefined;
  isRunning = true;
  /** When the agent has let go of everything. */
  answered: Promise<void> = Promise.resolve();
  /** In characters, about. */
  size = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    this.by = options.by;
    this.host = options.host;
    ignore(this.#outcome.promise, 'those who follow are told');
  }

  begin(agent: AgentChat, request: ChatRequest, onEnd: () => void): void {
    const { hosts } = this.#options;
    const answering = agent.turn(request, {
      signal: this.#stop.signal,
      onProgress: (event) => this.#hear(event),
      // A page that was reloaded is another host; until it follows, there is none to ask.
      host: () => (this.host !== undefined && hosts.has(this.host) ? this.host : undefined),
    });
    this.answered = this.#settle(answering, onEnd);
  }

  async #settle(answering: Promise<ChatOutcome>, onEnd: () => void): Promise<void> {
    try {
      const outcome = await answering;
      this.size += JSON.stringify(outcome).length;
      this.#outcome.resolve(outcome);
    } catch (error) {
      this.#outcome.reject(error);
    } finally {
      this.isRunning = false;
      onEnd();
    }
  }

  /** Everything from the beginning, then what happens; a follower that goes away changes nothing. */
  async follow({ signal, onProgress }: ChatOptions): Promise<ChatOutcome> {
    const gone = Promise.withResolvers<never>();
    const leave = (): void => gone.reject(left());
    if (signal?.aborted) throw left();
    signal?.addEventListener('abort', leave, { once: true });
    try {
      if (onProgress) {
        for (const { event } of this.#events) onProgress(event);
        this.#followers.add(onProgress);
      }
      return await Promise.race([this.#outcome.promise, gone.promise]);
    } finally {
      signal?.removeEventListener('abort', leave);
      if (onProgress) this.#followers.delete(onProgress);
    }
  }

  stop(): void {
    this.#stop.abort(new Error('the person stopped the answer'));
  }

  forgetAfter(ms: number, forgotten: () => void): void {
    this.#cancel = this.#options.clock.after(ms, forgotten);
  }

  forget(): void {
    this.#cancel?.();
    this.stop();
  }

  close(): void {
    const message = 'The hub stopped before this answer was complete.';
    this.#outcome.reject(
      new PlugError('unavailable', message, { owner: 'plugboard', remedy: { do: 'retry' } }),
    );
    this.forget();
  }

  #hear(event: ChatEvent): void {
    this.#keep(event);
    for (const tell of this.#followers) tell(event);
  }

  /** Text arrives in small pieces and is kept in one; the oldest events make room for the newest. */
  #keep(event: ChatEvent): void {
    const last = this.#events.at(-1);
    const isText = event.kind === 'text' || event.kind === 'reasoning';
    const chars = isText ? event.text.length : JSON.stringify(event).length;
    this.size += chars;
    if (isText && last?.event.kind === event.kind) {
      last.event = { ...event, text: last.event.text + event.text };
      last.chars += chars;
    } else this.#events.push({ event, chars });
    while (this.size > RUN_CHARS_MAX && this.#events.length > 1) {
      this.size -= this.#events.shift()?.chars ?? 0;
    }
  }
}

function left(): PlugError {
  return new PlugError('cancelled', 'The answer runs on; the caller no longer follows it.', { owner: 'you' });
}

interface KeptEvent {
  event: ChatEvent;
  chars: number;
}
