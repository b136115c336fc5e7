import type { Clock } from '../base/clock.ts';
import { ignore, PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import { Envelopes, type Agreement } from './handshake.ts';
import { askHost } from './host-answers.ts';
import type { HostHandlers, HostPlace } from './host.ts';
import { type Asker, type InFlight, type LogEntry, lowestLevel } from './in-flight.ts';
import { Listener } from './listener.ts';
import type { Peer, ProgressNote } from './peer.ts';
import { CallPermit } from './permit.ts';

export type ListKind = 'tools' | 'resources' | 'prompts';

/** What a live session tells its connection. */
export interface SessionEvents {
  onListChange(kind: ListKind): void;
  onResourceUpdate(uri: string): void;
  onLog(entry: Omit<LogEntry, 'server'>): void;
  /** The server asked for something that only a host of its own could answer. */
  onHostWanted(): void;
  onEnd(error: PlugError): void;
}

export interface SessionOptions {
  readonly server: string;
  readonly peer: Peer;
  readonly agreement: Agreement;
  readonly transport: 'stdio' | 'streamable-http' | 'sse' | 'ws';
  /** The identity that it was opened as, and cannot change; undefined where there are no accounts. */
  readonly account?: string | undefined;
  readonly clientInfo: JsonObject;
  readonly handlers: HostHandlers;
  /** Shared with whoever routes what the server sends unasked. */
  readonly inFlight: InFlight;
  readonly events: SessionEvents;
  readonly clock: Clock;
  readonly limits: Limits;
}

export interface SessionRequestOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((note: ProgressNote) => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whoever this request is made for; it answers instead of the session's own. */
  readonly handlers?: HostHandlers | undefined;
  readonly host?: HostPlace | undefined;
  /** What the server logs while this runs, from `logLevel` on. */
  readonly onLog?: ((entry: LogEntry) => void) | undefined;
  readonly logLevel?: string | undefined;
}

/** Every method but one: tools are called with a permit. */
type Method<M extends string> = M extends 'tools/call' ? never : M;

/** What is asked for somebody, who may be asked back; the rest is our own business. */
const ON_BEHALF: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'tasks/result',
]);

/** A live, negotiated link to one server: requests in its era's dress, answers unharmed. */
export class Session {
  readonly agreement: Agreement;
  readonly transport: SessionOptions['transport'];
  readonly account: string | undefined;
  readonly #options: SessionOptions;
  readonly #peer: Peer;
  readonly #listener: Listener | undefined;
  readonly #envelopes: Envelopes;
  /** On modern links sent with each request, on old ones told once. */
  #logLevel: string | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#peer = options.peer;
    this.agreement = options.agreement;
    this.transport = options.transport;
    this.account = options.account;
    this.#envelopes = new Envelopes(options.agreement, options.clientInfo);
    if (this.modern) {
      if (options.transport === 'streamable-http') this.#peer.cancelByStream();
      this.#listener = new Listener({
        capabilities: options.agreement.capabilities,
        clock: options.clock,
        limits: options.limits,
        ended: () => this.#peer.ended,
        open: (filter, signal) =>
          this.#peer.request(
            'subscriptions/listen',
            { notifications: filter, _meta: this.#envelopes.of(undefined, undefined) },
            { timeoutMs: Infinity, signal },
          ),
        // What changed while nobody listened is unknown: look at everything again.
        onReopen: () => this.#listKinds().forEach((kind) => options.events.onListChange(kind)),
      });
    }
  }

  get modern(): boolean {
    return this.agreement.era === 'modern';
  }

  get ended(): boolean {
    return this.#peer.ended;
  }

  get lastHeard(): number {
    return this.#peer.lastHeard;
  }

  get pending(): number {
    return this.#peer.pending - (this.#listener?.open ? 1 : 0);
  }

  get server(): string {
    return this.#options.server;
  }

  /** Listens for changes; on legacy links the server just sends them. */
  listen(): void {
    this.#listener?.start();
  }

  request<M extends string>(
    method: Method<M>,
    params: JsonObject,
    options: SessionRequestOptions,
  ): Promise<JsonObject> {
    if (isToolCall(method)) return Promise.reject(notPermitted(this.server));
    return this.#request(method, params, options);
  }

  /** `params` names the tool and holds the arguments that the permit was given for, as this account. */
  callTool(permit: CallPermit, params: JsonObject, options: SessionRequestOptions): Promise<JsonObject> {
    if (!CallPermit.covers(permit, params, this.account)) {
      return Promise.reject(notPermitted(this.server));
    }
    return this.#request('tools/call', params, options);
  }

  #request(method: string, params: JsonObject, options: SessionRequestOptions): Promise<JsonObject> {
    const asker = this.#asker(method, options);
    if (!asker) return this.#ask(method, params, options, undefined);
    const ask = (): Promise<JsonObject> => this.#askFor(asker, method, params, options);
    const wanted = this.modern ? undefined : asker.logLevel;
    return wanted === undefined ? ask() : this.#lowerLevel(wanted).then(ask);
  }

  /** In flight until it is answered: nothing waits for the book-keeping. */
  #askFor(
    asker: Asker,
    method: string,
    params: JsonObject,
    options: SessionRequestOptions,
  ): Promise<JsonObject> {
    const { inFlight } = this.#options;
    const place = inFlight.begin(asker);
    const asking = this.#ask(method, params, options, asker.handlers);
    const end = (): void => inFlight.end(place);
    ignore(asking.then(end, end), 'the answer is told to whoever asked');
    return asking;
  }

  /** Undefined for what nobody in particular wants to know. */
  #asker(method: string, { handlers, host, onLog, logLevel }: SessionRequestOptions): Asker | undefined {
    if (!handlers && !onLog && !ON_BEHALF.has(method)) return undefined;
    // Somebody without a name is nobody else: two such requests are of two hosts.
    const who = host?.id ?? handlers;
    return { who, handlers: handlers ?? this.#options.handlers, host, onLog, logLevel };
  }

  #ask(
    method: string,
    params: JsonObject,
    options: SessionRequestOptions,
    handlers: HostHandlers | undefined,
  ): Promise<JsonObject> {
    return this.modern
      ? this.#askInRounds(method, params, options, handlers)
      : this.#send(method, params, options);
  }

  /** A modern server asks by its answer; the request is then made again with what it wants. */
  async #askInRounds(
    method: string,
    params: JsonObject,
    options: SessionRequestOptions,
    handlers: HostHandlers | undefined,
  ): Promise<JsonObject> {
    const given = params['_meta'];
    const own = this.#envelopes.of(handlers, lowestLevel(options.logLevel, this.#logLevel));
    const _meta = isObject(given) ? { ...own, ...given } : own;
    const asked: JsonObject = { ...params, _meta };
    let dressed = asked;
    for (let round = 0; ; round += 1) {
      const result = await this.#send(method, dressed, options);
      if (result['resultType'] !== 'input_required') return result;
      if (round >= this.#options.limits.inputRoundsMax) throw this.#tooManyRounds(method);
      dressed = await this.#fulfil(asked, result, handlers, options.signal);
    }
  }

  /** Puts all of a server's questions to the host and answers under their own keys. */
  async answerInputs(
    inputRequests: unknown,
    handlers: HostHandlers = this.#options.handlers,
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    const questions = isObject(inputRequests) ? Object.entries(inputRequests) : [];
    const answers: [string, JsonObject][] = await Promise.all(
      questions.map(async ([key, question]) => [key, await this.#answer(key, question, handlers, signal)]),
    );
    return Object.fromEntries(answers);
  }

  async setLogLevel(level: string, timeoutMs: number): Promise<void> {
    if (!this.modern) await this.request('logging/setLevel', { level }, { timeoutMs });
    this.#logLevel = level;
  }

  /** On a host's own connection: an old server may now ask for its roots again. */
  rootsChanged(): void {
    if (this.modern) return; // modern servers ask for roots whenever they need them
    ignore(this.#peer.notify('notifications/roots/list_changed'), 'whoever has gone needs no news');
  }

  async subscribe(uri: string, timeoutMs: number): Promise<void> {
    if (this.#listener) this.#listener.watch(uri);
    else await this.request('resources/subscribe', { uri }, { timeoutMs });
  }

  async unsubscribe(uri: string, timeoutMs: number): Promise<void> {
    if (this.#listener) this.#listener.unwatch(uri);
    else await this.request('resources/unsubscribe', { uri }, { timeoutMs });
  }

  /** A cheap question that every server of its era must answer. */
  async checkHealth(timeoutMs: number): Promise<void> {
    if (this.modern) await this.request('server/discover', {}, { timeoutMs });
    else await this.request('ping', {}, { timeoutMs });
  }

  async close(): Promise<void> {
    this.#listener?.stop();
    await this.#peer.close();
  }

  #send(method: string, params: JsonObject, options: SessionRequestOptions): Promise<JsonObject> {
    return this.#peer.request(method, params, {
      timeoutMs: options.timeoutMs,
      totalTimeoutMs: this.#options.limits.callTotalTimeoutMs,
      signal: options.signal,
      onProgress: options.onProgress,
      headers: options.headers,
    });
  }

  /** An old link has one level for all: the lowest that anybody wants. */
  async #lowerLevel(level: string): Promise<void> {
    const { limits } = this.#options;
    if (!isObject(this.agreement.capabilities['logging'])) return;
    if (lowestLevel(this.#logLevel, level) === this.#logLevel) return;
    this.#logLevel = level;
    // Waited for, as over HTTP a later request may be faster. A refusal costs the logs, not the call.
    const told = this.request('logging/setLevel', { level }, { timeoutMs: limits.healthTimeoutMs });
    await Promise.allSettled([told]);
  }

  /** Answers the server's questions and builds the retry, its state echoed byte for byte. */
  async #fulfil(
    params: JsonObject,
    result: JsonObject,
    handlers: HostHandlers | undefined,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    const answers = await this.answerInputs(result['inputRequests'], handlers, signal);
    const state = result['requestState'];
    return {
      ...params,
      ...(Object.keys(answers).length > 0 ? { inputResponses: answers } : {}),
      ...(state === undefined ? {} : { requestState: state }),
    };
  }

  #answer(
    key: string,
    question: unknown,
    handlers: HostHandlers,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    const { server } = this.#options;
    if (!isObject(question) || typeof question['method'] !== 'string') {
      throw new PlugError('protocol_error', `${server} asked for input without saying what for.`, {
        owner: 'server',
        server,
      });
    }
    // JSON came in, so an object is a JsonObject.
    const params = isObject(question['params']) ? (question['params'] as JsonObject) : {};
    const request = { server, method: question['method'], params, key };
    return askHost(handlers, request, signal ?? new AbortController().signal);
  }

  #tooManyRounds(method: string): PlugError {
    const { server, limits } = this.#options;
    return new PlugError(
      'protocol_error',
      `${server} still wanted more input for ${method} after ${limits.inputRoundsMax} rounds.`,
      { owner: 'server', server },
    );
  }

  #listKinds(): readonly ListKind[] {
    const { capabilities } = this.agreement;
    return (['tools', 'resources', 'prompts'] as const).filter((kind) => isObject(capabilities[kind]));
  }
}

/** The types say so already; a method that comes as a variable is stopped here. */
function isToolCall(method: string): boolean {
  return method === 'tools/call';
}

function notPermitted(server: string): PlugError {
  return new PlugError('denied', `A tool of ${server} was about to be called without a decision.`, {
    owner: 'plugboard',
    server,
  });
}
